"""Fix whole packages and check what comes out; not part of the tests, for it needs the packages and takes minutes.

    python tests/packages/fix.py [--keep FOLDER] [--jobs N] FOLDER_OF_A_PACKAGE...

Each package is copied twice, `--fix` runs over one copy and `--fix --unsafe-fixes` over the other. Checked: every file
that was changed parses and compiles, no comment is lost, no guard leaves a fix out, a second run changes nothing. Prints
a line of figures for each copy and then what is wrong with it, and ends with 1 if anything is. With `--keep` the copies
stay, so that their programs can be run: `FOLDER/<package>-safe`, `FOLDER/<package>-unsafe`.
"""

from __future__ import annotations

import argparse
import io
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tokenize
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SAFE, UNSAFE = ("--fix",), ("--fix", "--unsafe-fixes")
QUIET = ("--isolated", "--no-cache", "--exit-zero", "--format", "jsonl", "--output-file")


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of the linter said of a folder."""

    fixed: int
    refused: list[str]
    """Fixes that a guard left out, and files that broke."""
    code: int


def main() -> int:
    """Every package with both kinds of fixes; the answer is the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packages", nargs="+", type=Path)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--jobs", help="processes of the linter: one a core unless this says how many")
    asked = parser.parse_args()
    jobs = ("--jobs", asked.jobs) if asked.jobs else ()
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        for package in asked.packages:
            for options in (SAFE, UNSAFE):
                name = f"{package.name}-{'unsafe' if options is UNSAFE else 'safe'}"
                copy = (asked.keep or Path(scratch)).resolve() / name
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(package, copy, ignore=lambda _, names: [each for each in names if not _is_read(each)])
                wrong += _fix(package, copy, (*options, *jobs))
    return 1 if wrong else 0


def _is_read(name: str) -> bool:
    return "." not in name or name.endswith((".py", ".ipynb", ".toml"))


def _fix(package: Path, copy: Path, options: tuple[str, ...]) -> int:
    """Fix a copy, print its figures and what is wrong with it; the answer is how much that is."""
    start = time.perf_counter()
    first = _run(copy, options)
    seconds = time.perf_counter() - start
    changed = [path for path in sorted(copy.rglob("*.py")) if path.read_bytes() != _original(path, copy, package)]
    wrong = [f"refused: {each}" for each in first.refused]
    wrong += [said for path in changed for said in _faults(path, _original(path, copy, package))]
    before = {path: path.read_bytes() for path in copy.rglob("*.py")}
    second = _run(copy, options)
    wrong += [f"{path}: changed by the second run" for path, data in before.items() if path.read_bytes() != data]
    wrong += [f"the linter ended with {run.code}" for run in (first, second) if run.code]
    print(f"{copy.name}: {first.fixed} fixed in {len(changed)} files, {len(wrong)} wrong, {seconds:.0f} s", flush=True)
    for said in wrong:
        print(f"    {said}", flush=True)
    return len(wrong)


def _run(copy: Path, options: tuple[str, ...]) -> Run:
    command = [sys.executable, "-m", "torchperf_lint", *options, *QUIET, str(copy.parent / f"{copy.name}.jsonl"), "."]
    ended = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    said = ended.stderr.splitlines()
    fixed = next((int(found[1].replace(",", "")) for line in said if (found := re.match(r"([\d,]+) fixed", line))), -1)
    return Run(fixed, [line for line in said if "left out" in line or line.startswith("error: ")], ended.returncode)


def _original(path: Path, copy: Path, package: Path) -> bytes:
    return (package / path.relative_to(copy)).read_bytes()


def _faults(path: Path, original: bytes) -> Iterator[str]:
    """What is wrong with a file that was changed."""
    data = path.read_bytes()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(data, str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        yield f"{path}: does not compile: {error}"
        return
    for comment in (_comments(original) - _comments(data)).elements():
        yield f"{path}: lost {comment}"


def _comments(data: bytes) -> Counter[str]:
    tokens = tokenize.tokenize(io.BytesIO(data).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


if __name__ == "__main__":
    sys.exit(main())
