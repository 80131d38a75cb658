"""The same folder linted in several ways: what is said must be the same, byte for byte.

    python tests/robustness/same.py FOLDER...

In one process and in several, with other seeds for hashes, with the paths in another order, without a cache, with a cache
that is empty and with one that knows everything. Nothing is written into the folders. Exit code 1 if anything differs.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

FORM = ("--isolated", "--exit-zero", "--quiet", "--select", "ALL", "--format", "jsonl")


def run(folder: Path, seed: int, *options: str) -> bytes:
    """What the linter says of a folder, its paths in an order of their own unless the seed is 0."""
    paths = sorted(path.name for path in folder.iterdir() if path.is_dir() or path.suffix == ".py")
    if seed:
        random.Random(seed).shuffle(paths)
    command = [sys.executable, "-m", "torchperf_lint", *FORM, *options, *paths]
    ended = subprocess.run(
        command, cwd=folder, env={**os.environ, "PYTHONHASHSEED": str(seed)}, capture_output=True, check=False
    )
    if ended.returncode:
        raise SystemExit(ended.stderr.decode(errors="replace"))
    return ended.stdout


def differs(folder: Path) -> int:
    """How many ways say something else than the first."""
    with TemporaryDirectory() as cache:
        kept = ("--cache-dir", cache)
        ways = {
            "one process, no cache": (0, "--jobs", "1", "--no-cache"),
            "two processes, paths shuffled, an empty cache": (1, "--jobs", "2", *kept),
            "a cache that knows everything": (2, "--jobs", "2", *kept),
            "three processes, paths shuffled": (3, "--jobs", "3", "--no-cache"),
        }
        first, count = None, 0
        for name, (seed, *options) in ways.items():
            start = time.perf_counter()
            said = run(folder, seed, *options)
            first = said if first is None else first
            count += said != first
            print(
                f"{folder.name}, {name}: {said.count(bytes([10])):,} lines, {time.perf_counter() - start:.0f} s, "
                f"{sha256(said).hexdigest()[:12]}{'' if said == first else ', DIFFERENT'}",
                flush=True,
            )
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    return int(sum(differs(folder) for folder in parser.parse_args().folders) > 0)


if __name__ == "__main__":
    sys.exit(main())
