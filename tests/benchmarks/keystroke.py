"""How long it takes from a key to what is found: an editor types in files of some 500 lines, the project is warm.

    python tests/benchmarks/keystroke.py FOLDER

Typed is a letter in the middle of a comment in the first lines of a file, with rests between, as by a person. The times hold
the pause for which the server waits for the next key, so they are what one sees; both processes are on this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from editor import Editor
from measure import circumstances, table

from torchperf_lint.server.follow import PAUSE

FEWEST, MOST = 450, 550
REST = 0.3


async def measured(folder: Path, files: list[Path], keys: int) -> list[list[str]]:
    rows = []
    async with Editor(folder) as editor:
        for file in files:
            text = file.read_text(encoding="utf-8")
            start = time.perf_counter()
            await editor.open(file, f"# typed here: .\n{text}")
            opened = time.perf_counter() - start
            times = []
            for number in range(keys):
                await asyncio.sleep(REST)
                start = time.perf_counter()
                before = "x" * number
                editor.type(file, f"typed here: {before}.\n", f"typed here: {before}x.\n")
                await editor.diagnostics(file)
                times.append(time.perf_counter() - start)
            name = f"{file.name}, {text.count(chr(10))} lines"
            rows.append([name, *(f"{each * 1000:.0f} ms" for each in (opened, statistics.median(times), max(times)))])
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=10)
    parser.add_argument("--keys", type=int, default=10)
    said = parser.parse_args()
    long = [path for path in sorted(said.folder.rglob("*.py")) if FEWEST <= _lines(path) <= MOST]
    step = max(1, len(long) // said.files)
    rows = asyncio.run(measured(said.folder.absolute(), long[::step][: said.files], said.keys))
    print(table(["", "opened", "a key, median", "slowest"], rows))
    print(
        f"\n{said.keys} keys a file, {PAUSE * 1000:.0f} ms of each time is the pause. {circumstances('pygls', 'libcst')}"
    )
    return 0


def _lines(path: Path) -> int:
    data = path.read_bytes()
    return data.count(b"\n") if b"torch" in data else 0


if __name__ == "__main__":
    sys.exit(main())
