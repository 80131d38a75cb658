"""Files against seconds, with one process and with several, as a table and as a plot.

    python tests/benchmarks/scaling.py FOLDER... [--record]

The folders' own files in growing numbers, beside the bare LibCST parse of the same, then generated files of growing
length: time must grow in proportion. With `--record` the plot goes to `rules_docs/measured/scaling.svg`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import zlib
from pathlib import Path

from measure import OURS, PARSE, RECORDED, best, circumstances, table, torch_files

Points = dict[int, float]

GENERATED = {
    "lines": lambda size: "".join(f"x{number} = torch.zeros(3) + {number}\n" for number in range(size)),
    "functions": lambda size: "".join(
        f"def f{number}(x):\n    y = torch.zeros(3).cuda()\n    return f{max(number - 1, 0)}(x) + y.item()\n\n"
        for number in range(size)
    ),
    "nested calls": lambda size: (
        "\n".join(["x = " + "f(" * 100 + "torch.zeros(1).cuda()" + ")" * 100] * (size // 100)) + "\n"
    ),
}
"""What a generated file is made of, by how much of it there is."""
SIZES = {
    "lines": (2_500, 5_000, 10_000, 20_000),
    "functions": (250, 500, 1_000, 2_000),
    "nested calls": (500, 1_000, 2_000),
}


PARTS = (8, 4, 2, 1)
COLOURS = ("#c0392b", "#2471a3", "#1e8449")


def lint(paths: list[str], jobs: int, folder: Path, times: int) -> float:
    command = [*OURS, "--isolated", "--quiet", "--no-cache", "--jobs", str(jobs), *paths]
    return best(command, folder, times).wall


def parse(paths: list[str], folder: Path, times: int) -> float:
    listed = folder / "files"
    listed.write_text("\0".join(paths), encoding="utf-8")
    return best([sys.executable, "-c", PARSE, str(listed)], folder, times).wall


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--times", type=int, default=2, help="take the best of so many runs")
    parser.add_argument(
        "--record", action="store_true", help="write the plot to where `rules_docs/speed.md` takes it from"
    )
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        curves = by_files(said.folders, said.jobs, Path(scratch), said.times)
        sizes = next(iter(curves.values()))
        rows = [[str(size), *(f"{points[size]:.2f} s" for points in curves.values())] for size in sizes]
        print(table(["files", *curves], rows), flush=True)
        by_length(Path(scratch), said.times)
    about = circumstances("torchperf-lint", "libcst")
    print(f"\n{', '.join(each.name for each in said.folders)}. {about}")
    if said.record:
        (RECORDED / "scaling.svg").write_text(plot(curves, about), encoding="utf-8")
    return 0


def by_files(folders: list[Path], jobs: int, scratch: Path, times: int) -> dict[str, Points]:
    """Seconds by the number of files: the bare parse, one process, several."""
    files = [str(path.absolute()) for path in torch_files(folders)]
    spread = sorted(files, key=lambda path: zlib.crc32(Path(path).name.encode()))
    parsed, alone, together = "bare LibCST parse", "one process", f"{jobs} processes"
    curves: dict[str, Points] = {parsed: {}, alone: {}, together: {}}
    for part in PARTS:
        taken = spread[: len(spread) // part]
        curves[parsed][len(taken)] = parse(taken, scratch, times)
        curves[alone][len(taken)] = lint(taken, 1, scratch, times)
        curves[together][len(taken)] = lint(taken, jobs, scratch, times)
    return curves


def by_length(scratch: Path, times: int) -> None:
    """Seconds by the length of one generated file."""
    file = scratch / "generated.py"
    for what, make in GENERATED.items():
        rows = []
        for size in SIZES[what]:
            file.write_text("import torch\n" + make(size), encoding="utf-8")
            took = lint([str(file)], 1, scratch, times)
            rows.append([str(size), f"{took:.2f} s", f"{took / size * 1000:.2f} s"])
        print("\n" + table([f"{what} in one file", "time", "for 1000"], rows), flush=True)


def plot(curves: dict[str, Points], about: str) -> str:
    """Files to the right, seconds upwards."""
    width, height, edge = 640, 400, 60
    files = max(max(points) for points in curves.values())
    seconds = max(max(points.values()) for points in curves.values())

    def at(x: float, y: float) -> tuple[float, float]:
        return edge + (width - 3.5 * edge) * x / files, height - edge - (height - 2 * edge) * y / seconds

    def text(place: tuple[float, float], said: str, anchor: str, colour: str = "#333") -> str:
        return f'<text x="{place[0]:.1f}" y="{place[1]:.1f}" text-anchor="{anchor}" fill="{colour}">{said}</text>'

    by_height = sorted(curves.items(), key=lambda curve: curve[1][files])
    drawn, lowest = [], height * 1.0
    for (name, points), colour in zip(by_height, COLOURS, strict=False):
        path = " ".join("{:.1f},{:.1f}".format(*at(*point)) for point in {0: 0.0, **points}.items())
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        drawn += [
            '<circle cx="{:.1f}" cy="{:.1f}" r="3" fill="{}"/>'.format(*at(*point), colour) for point in points.items()
        ]
        x, y = at(files, points[files])
        lowest = min(y + 4, lowest - 14)  # so that the names of lines that end together stay apart
        drawn.append(
            text((x + 8, lowest), f"{points[files]:.1f} s {name.replace('bare LibCST ', '')}", "start", colour)
        )
    for count in next(iter(curves.values())):
        drawn.append(text((at(count, 0)[0], height - edge + 20), str(count), "middle"))
    drawn.append(text((width / 2, height - 24), "files", "middle"))
    drawn.append(text((width / 2, height - 6), about, "middle", "#777"))
    drawn.append(text((edge, edge - 20), "seconds, without a cache; the bare LibCST parse for comparison", "start"))
    axes = f'<path d="M{edge},{edge - 8} V{height - edge} H{width - 2.5 * edge:.0f}" fill="none" stroke="#333"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
    ground = f'<rect width="{width}" height="{height}" fill="white"/>'
    return "\n".join([head, ground, axes, *drawn, "</svg>", ""])


if __name__ == "__main__":
    sys.exit(main())
