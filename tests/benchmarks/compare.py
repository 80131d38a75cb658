"""This linter, TorchFix, Fixit, Ruff and the bare parse of LibCST, side by side on some folders.

    python tests/benchmarks/compare.py FOLDER... [--times 1] [--output table.md]

Each tool runs with its own defaults for processes and without its cache; the bare parse reads what mentions torch, in
one process, its garbage collector off. TorchFix and Fixit hold LibCST back to an old release, so give them an environment
of their own and name its folder of programs with `--tools`; a tool that is not there is left out. Nothing is asserted: look at the table.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure import OURS, Cost, best, circumstances, run, table, torch_files

PARSE = "import gc, sys, libcst; gc.disable(); [libcst.parse_module(open(p, 'rb').read()) for p in open(sys.argv[1]).read().split('\\0')]"
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
    found = [path for name in ("torchfix", "fixit", "ruff") if (path := tool(name, tools))]
    said = [subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout for path in found]
    return f" Others: {', '.join(' '.join(each.split()) for each in said)}."


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--times", type=int, default=1, help="take the best of so many runs")
    parser.add_argument("--without", nargs="*", default=[], metavar="NAME", help="leave out tools whose name begins so")
    parser.add_argument(
        "--tools", type=Path, default=Path(sys.executable).parent, help="the folder that the others are in"
    )
    parser.add_argument("--output", type=Path)
    said = parser.parse_args()
    folders = [str(each.absolute()) for each in said.folders]
    files = torch_files(said.folders)
    with tempfile.TemporaryDirectory() as scratch:
        listed = Path(scratch) / "files"
        listed.write_text("\0".join(map(str, files)), encoding="utf-8")
        costs = {}
        for name, command, warm in commands(folders, str(listed), f"{scratch}/cache", said.tools):
            if not name.startswith(tuple(said.without) or ("-",)):
                print(f"{name} ...", file=sys.stderr, flush=True)
                if warm:
                    run(command, Path(scratch))
                costs[name] = best(command, Path(scratch), said.times)
    ours = costs["torchperf-lint"]
    size = sum(path.stat().st_size for path in files)
    text = "\n".join(
        [
            table(
                ["", "time", "ratio", "CPU", "ratio", "memory"], [row(name, cost, ours) for name, cost in costs.items()]
            ),
            "",
            f"{', '.join(each.name for each in said.folders)}: {len(files)} files with torch, {size / 1e6:.1f} MB. "
            + circumstances("torchperf-lint", "libcst")
            + _versions(said.tools),
            "",
        ]
    )
    print(text)
    if said.output:
        said.output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
