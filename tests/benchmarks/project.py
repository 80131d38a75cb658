"""What it costs to know the callers in other files: cold, unchanged, and with one file changed, by turns with another tree.

    python tests/benchmarks/project.py FOLDER [--against TREE]

Each run has a cache folder of its own kind; the project is copied, so that files can be changed in it. TREE is a checkout of
this tool to compare with.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parents[2]


def run(tree: Path, project: Path, cache: Path) -> str:
    """The time, the processor time and the memory of one run."""
    command = [sys.executable, "-P", "-m", "torchperf_lint", ".", "--isolated", "--exit-zero", "--quiet"]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [*command, "--cache-dir", str(cache), "--output-file", os.devnull],
        cwd=project, env={**os.environ, "PYTHONPATH": str(tree)}, check=True,
    )  # fmt: skip
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return f"{wall:8.2f} s {used:8.2f} s CPU {after.ru_maxrss / 1024:8.0f} MB (largest so far)"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--against", type=Path)
    said = parser.parse_args()
    trees = [HERE, *([said.against] if said.against else [])]
    with tempfile.TemporaryDirectory() as scratch:
        project = Path(scratch, "project")
        shutil.copytree(said.folder, project, ignore=shutil.ignore_patterns(".git"))
        (project / ".git").mkdir()
        changed = max(project.rglob("*.py"), key=lambda path: (path.read_bytes().count(b"\nimport torch"), str(path)))
        for what in ("cold", "unchanged", "unchanged", "one changed"):
            if what == "one changed":
                changed.write_text(
                    changed.read_text(encoding="utf-8") + "\n\ndef added(x):\n    return x.item()\n", encoding="utf-8"
                )
            for number, tree in enumerate(trees):
                print(f"{what:12} {tree.name:16} {run(tree, project, Path(scratch, f'cache{number}'))}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
