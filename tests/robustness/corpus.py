"""Every file of some folders through everything: linted with all rules, mended, mended again.

    python tests/robustness/corpus.py                      Python's own library and its tests
    python tests/robustness/corpus.py FOLDER... --jobs 4

Files that mention no torch go through the whole pipeline all the same. Nothing is written: files are mended in memory.
What must not happen is counted and shown: a crash, a hang, a rule that raises, a file that Python refuses and that has
no TPL001 in that line, a second fix that changes anything. Exit code 1 if any of it did.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import signal
import sys
import sysconfig
import time
import warnings
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from same_settings import SameSettings

from torchperf_lint.config.config import VENDOR, Config
from torchperf_lint.config.selection import Layer, chosen
from torchperf_lint.disk.read import read_file
from torchperf_lint.files.discover import EVERY_FILE, discover
from torchperf_lint.model.catalogue import DOES_NOT_PARSE, RULE_RAISED
from torchperf_lint.run.fix_file import FixFile
from torchperf_lint.run.lint_file import Done, LintFile, guarded
from torchperf_lint.run.parallel import Died, cores, together

SLOWEST = 5


@dataclass(frozen=True)
class Try:
    """All that is done to one file, in a process that an alarm ends if it takes too long."""

    config: Config
    seconds: int

    def __call__(self, path: str) -> bytes:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(self.seconds)
        start = time.perf_counter()
        data = read_file(path)
        done = guarded(lambda path: LintFile(SameSettings(self.config)).content(path, data)[0], path)
        faults = [*_parsing(done, path, data), *self._fixing(path, data)]
        faults += [done.failure] if done.failure else []
        faults += [f"line {each.span.start.line}: {each.message}" for each in done.findings if each.code == RULE_RAISED]
        signal.alarm(0)
        refused = [each.message for each in done.findings if each.code == DOES_NOT_PARSE]
        said = {"faults": faults, "refused": refused, "findings": len(done.findings), "bytes": len(data)}
        return json.dumps({**said, "seconds": time.perf_counter() - start}).encode()

    def _fixing(self, path: str, data: bytes) -> list[str]:
        job = FixFile(SameSettings(self.config))
        mended: list[bytes] = []

        def mend(path: str) -> Done:
            done, once = job.content(path, data)
            mended.append(job.content(path, once)[1])
            mended.append(once)
            return done

        done = guarded(mend, path)
        if done.failure:
            return [f"while mending: {done.failure}"]
        faults = [] if mended[0] == mended[1] else ["a second fix changes the file"]
        return faults if done.fixed or mended[1] == data else [*faults, "changed though nothing was fixed"]


def _parsing(done: Done, path: str, data: bytes) -> list[str]:
    """How we and Python disagree on whether, and where, a file does not parse."""
    ours = [each.span.start for each in done.findings if each.code == DOES_NOT_PARSE]
    if not path.endswith(".py"):
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(data)
    except SyntaxError as error:
        if not ours:
            return [f"Python refuses line {error.lineno} ({error.msg}), we do not"]
        if error.lineno and ours[0].line != max(error.lineno, 1):
            return [f"Python refuses line {error.lineno} ({error.msg}), we line {ours[0].line}"]
    except (ValueError, RecursionError, MemoryError) as error:
        return [] if ours else [f"Python refuses it ({error}), we do not"]
    return []


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="*", default=[sysconfig.get_path("stdlib")])
    parser.add_argument("--jobs", type=int, default=cores())
    parser.add_argument("--seconds", type=int, default=60, help="after which a file counts as a hang")
    parser.add_argument("--every", type=int, default=1, help="take every Nth file only")
    said = parser.parse_args()
    os.environ[EVERY_FILE] = "1"
    root = Path(os.path.commonpath([Path(each).absolute() for each in said.folders]))
    rules = chosen([Layer(select=("ALL",))])
    exclude = tuple(each for each in VENDOR if each not in ("build", "dist", "site-packages"))
    config = Config(root=root, rules=rules, cache=False, fix=True, unsafe_fixes=True, exclude=exclude, gitignore=False)
    if said.folders == parser.get_default("folders"):
        config = replace(config, exclude=VENDOR)
    files = discover(said.folders, SameSettings(config)).files[:: said.every]
    start = time.perf_counter()
    tally, slow = _tally(together(Try(config, said.seconds), files, said.jobs), len(files))
    print(f"\n{tally['files']:,} files, {tally['bytes'] / 1e6:.1f} MB, {time.perf_counter() - start:.0f} s")
    print(f"crashes {tally['crashes']}, hangs {tally['hangs']}, faults {tally['faults']}")
    print(f"findings {tally['findings']:,}, files that do not parse {tally['refused']}")
    print(
        "slowest:",
        ", ".join(f"{Path(path).name} {seconds:.1f} s" for seconds, path in sorted(slow)[: -SLOWEST - 1 : -1]),
    )
    return int(bool(tally["crashes"] or tally["hangs"] or tally["faults"]))


def _tally(answers: object, total: int) -> tuple[Counter[str], list[tuple[float, str]]]:
    tally: Counter[str] = Counter()
    slow = []
    for path, answer in answers:  # type: ignore[attr-defined]
        tally["files"] += 1
        if isinstance(answer, Died):
            hung = answer.exitcode == -signal.SIGALRM
            tally["hangs" if hung else "crashes"] += 1
            print(f"{path}: {'took too long' if hung else answer}", flush=True)
            continue
        said = json.loads(answer)
        slow.append((said["seconds"], path))
        tally.update(
            findings=said["findings"], bytes=said["bytes"], faults=len(said["faults"]), refused=len(said["refused"])
        )
        for fault in said["faults"]:
            print(f"{path}: {fault}", flush=True)
        if sys.stderr.isatty():
            print(f"\r{tally['files']} of {total}", end="", file=sys.stderr)
    return tally, slow


if __name__ == "__main__":
    sys.exit(main())
