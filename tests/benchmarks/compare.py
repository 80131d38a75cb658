"""This linter, TorchFix, Fixit, Ruff and the bare parse of LibCST, side by side on some folders.

    python tests/benchmarks/compare.py FOLDER... [--times 1] [--tools ENVIRONMENT/bin] [--without NAME...] [--record [NAME]]

What is installed is measured: after `pip install .`, the wheel, compiled, and beside it the checkout as plain Python.
Each tool runs with its own defaults for processes, without its cache, and once before over a small file, for what Python
compiles at the first import; the bare parse reads what mentions torch, in one process, its garbage collector off. A
machine has slow minutes and fast ones: with `--times` all take turns, and the mean of the rounds is told; a run of many
minutes has its mean in itself. TorchFix and Fixit hold LibCST back to an old release, so give them an environment of
their own and name its folder of programs with `--tools`; a tool that is not there is left out. With `--record` the table
goes to `rules_docs/measured/speed.md`, or with a name to another file there; from `speed` and `speed-large`
`python -m torchperf_lint.docs` takes it into `rules_docs/speed.md`.
Nothing is asserted: look at the table.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from measure import CHECKOUT, OURS, PARSE, RECORDED, Cost, circumstances, mean, run, table, torch_files

from torchperf_lint.version import is_compiled

SLOW = 300
"""Seconds after which a run is not repeated."""
AST = "import ast, sys; [ast.parse(open(p, 'rb').read()) for p in open(sys.argv[1]).read().split('\\0')]"


def tool(name: str, tools: Path) -> str | None:
    """Where a tool is: among those that were named, else on the path."""
    return shutil.which(name, path=str(tools)) or shutil.which(name)


def commands(folders: list[str], files: str, cache: str, tools: Path) -> Iterator[tuple[str, list[str], bool]]:
    """What is measured, how it is called, and whether it is to be run once before it is."""
    ours = [*OURS, "--isolated", "--quiet", *folders]
    yield "torchperf-lint", [*ours, "--no-cache"], False
    yield "torchperf-lint, one process", [*ours, "--no-cache", "--jobs", "1"], False
    yield "torchperf-lint, nothing changed", [*ours, "--cache-dir", cache], True
    if is_compiled():
        yield "torchperf-lint, not compiled", ["env", f"PYTHONPATH={CHECKOUT}", *ours, "--no-cache"], False
    yield "bare LibCST parse, one process", [sys.executable, "-c", PARSE, files], False
    yield "bare `ast.parse`, one process", [sys.executable, "-c", AST, files], False
    if torchfix := tool("torchfix", tools):
        yield "TorchFix", [torchfix, *folders], False
    if fixit := tool("fixit", tools):
        yield "Fixit", [fixit, "lint", *folders], False
    if ruff := tool("ruff", tools):
        yield (
            "Ruff, all rules",
            [ruff, "check", "--isolated", "--no-cache", "--select", "ALL", "--exit-zero", *folders],
            False,
        )


def chosen(every: Iterator[tuple[str, list[str], bool]], without: Sequence[str]) -> list[tuple[str, list[str], bool]]:
    """What is left of the commands without some tools."""
    return [each for each in every if not each[0].startswith(tuple(without))]


def costs(every: Sequence[tuple[str, list[str], bool]], folder: Path, times: int) -> dict[str, Cost]:
    """What each command takes: the mean of several rounds."""
    found: dict[str, list[Cost]] = {}
    for _ in range(times):
        for name, command, warm in every:
            known = found.setdefault(name, [])
            if known and known[0].wall >= SLOW:
                continue
            print(f"{name} ...", file=sys.stderr, flush=True)
            if warm and not known:
                run(command, folder)
            known.append(run(command, folder))
    return {name: mean(known) for name, known in found.items()}


def row(name: str, cost: Cost, ours: Cost) -> list[str]:
    return [
        name,
        f"{cost.wall:.2f} s",
        f"{cost.wall / ours.wall:.2f}",
        f"{cost.cpu:.2f} s",
        f"{cost.cpu / ours.cpu:.2f}",
        f"{cost.memory:.0f} MB",
    ]


def _versions(tools: Path) -> str:
    """What the others say of themselves, and the LibCST that they run with."""
    found = {name: path for name in ("TorchFix", "Fixit", "Ruff") if (path := tool(name.lower(), tools))}
    said = {name: _version(_said([path, "--version"])) for name, path in found.items()}
    theirs = _said(
        [str(tools / "python"), "-c", "import importlib.metadata; print(importlib.metadata.version('libcst'))"]
    )
    said |= {"LibCST of TorchFix and Fixit": theirs.strip()} if theirs and "TorchFix" in said else {}
    return " Others: " + ", ".join(f"{name} {version}" for name, version in said.items()) + "." if said else ""


def _said(command: list[str]) -> str:
    if shutil.which(command[0]) is None:
        return ""
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def _version(text: str) -> str:
    """`2.2.1` of `fixit, version 2.2.1`."""
    found = re.search(r"\d+(\.\d+)+", text)
    return found[0] if found else "of unknown version"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--times", type=int, default=1, help="the mean of so many rounds")
    parser.add_argument("--without", nargs="*", default=[], metavar="NAME", help="leave out tools whose name begins so")
    parser.add_argument(
        "--tools", type=Path, default=Path(sys.executable).parent, help="the folder that the others are in"
    )
    parser.add_argument(
        "--record",
        nargs="?",
        const="speed",
        metavar="NAME",
        help="write the table to where `rules_docs/speed.md` takes it from",
    )
    said = parser.parse_args()
    folders = [str(each.absolute()) for each in said.folders]
    files = torch_files([each.absolute() for each in said.folders])  # each tool is started in another folder
    with tempfile.TemporaryDirectory() as scratch:
        listed = Path(scratch) / "files"
        listed.write_text("\0".join(map(str, files)), encoding="utf-8")
        small = Path(scratch) / "small"
        small.mkdir()
        (small / "a.py").write_text("import torch\n\nmask = torch.zeros(3).cuda()\n", encoding="utf-8")
        (small / "files").write_text(str(small / "a.py"), encoding="utf-8")
        first = commands([str(small)], str(small / "files"), f"{scratch}/other", said.tools)
        for _, command, _ in chosen(first, said.without):
            run(command, small)
        every = commands(folders, str(listed), f"{scratch}/cache", said.tools)
        found = costs(chosen(every, said.without), Path(scratch), said.times)
    ours = found["torchperf-lint"]
    size = sum(path.stat().st_size for path in files)
    text = "\n".join(
        [
            table(
                ["", "time", "times ours", "CPU", "times ours", "memory"],
                [row(name, cost, ours) for name, cost in found.items()],
            ),
            "",
            f"{', '.join(each.name for each in said.folders)}: {len(files)} files with torch, {size / 1e6:.1f} MB. "
            + circumstances("torchperf-lint", "libcst")
            + _versions(said.tools)
            + (f" Means of {said.times} rounds." if said.times > 1 else ""),
            "",
        ]
    )
    print(text)
    if said.record:
        (RECORDED / f"{said.record}.md").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
