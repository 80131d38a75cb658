"""What it costs to know the callers in other files: cold, unchanged, and with one file changed, by turns with another tree.

    python tests/benchmarks/project.py FOLDER [--against TREE] [--copies 1 2 4] [--one-process]

The project is a copy, so that files can be changed in it; with more than one copy of the folder in it, each has a name of its
own, also in its imports. Each tree has a cache of its own. TREE is a checkout of this tool to compare with.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parents[2]
ADDED = "\n\ndef added(x):\n    return x.item()\n"


def run(tree: Path, project: Path, cache: Path, *more: str) -> tuple[float, float, float]:
    """The time, the processor time and the most memory of a process of one run."""
    command = [sys.executable, "-P", "-m", "torchperf_lint", ".", "--isolated", "--exit-zero", "--quiet", *more]
    start = time.perf_counter()
    process = subprocess.Popen(
        [*command, "--cache-dir", str(cache), "--output-file", os.devnull],
        cwd=project, env={**os.environ, "PYTHONPATH": str(tree)}, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{tree} ended with {process.returncode}")
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def lay_out(folder: Path, into: Path, copies: int) -> int:
    """Copies of a package under names of their own; how many files of Python that makes."""
    (into / ".git").mkdir(parents=True)
    name = re.compile(rf"\b{re.escape(folder.name)}\b")
    files = 0
    for number in range(copies):
        called = f"{folder.name}{number or ''}"
        for path in sorted(folder.rglob("*.py")):
            target = into / called / path.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_text(encoding="utf-8", errors="surrogateescape")
            target.write_text(name.sub(called, text), encoding="utf-8", errors="surrogateescape")
            files += 1
    return files


def most_torch(path: Path) -> tuple[int, str]:
    """A file that is likely to matter to others comes last: one that imports torch, and is long."""
    data = path.read_bytes()
    return (len(data) if b"\nimport torch" in data else 0, str(path))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--copies", type=int, nargs="+", default=[1])
    parser.add_argument("--one-process", action="store_true")
    said = parser.parse_args()
    trees = [HERE, *([said.against] if said.against else [])]
    more = ["--jobs", "1"] if said.one_process else []
    print("what         files tree                 seconds     CPU s      MB")
    for copies in said.copies:
        with tempfile.TemporaryDirectory() as scratch:
            project = Path(scratch, "project")
            files = lay_out(said.folder.resolve(), project, copies)
            changed = max(project.rglob("*.py"), key=most_torch)
            for what in ("cold", "unchanged", "unchanged", "one changed"):
                if what == "one changed":
                    with changed.open("a", encoding="utf-8") as file:
                        file.write(ADDED)
                for number, tree in enumerate(trees):
                    wall, used, memory = run(tree, project, Path(scratch, f"cache{number}"), *more)
                    print(f"{what:12} {files:5} {tree.name:18} {wall:9.2f} {used:9.2f} {memory:7.0f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
