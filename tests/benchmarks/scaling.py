"""Files against seconds, with one process and with several, as a table and as a plot.

    python tests/benchmarks/scaling.py FOLDER... [--output scaling.svg]

The folders' own files in growing numbers, then generated files of growing length: time must grow in proportion.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from measure import OURS, circumstances, run, table, torch_files

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


def lint(paths: list[str], jobs: int, folder: Path) -> float:
    command = [*OURS, "--isolated", "--quiet", "--no-cache", "--jobs", str(jobs), *paths]
    return run(command, folder).wall


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path, default=Path("scaling.svg"))
    said = parser.parse_args()
    files = [str(path.absolute()) for path in torch_files(said.folders)]
    spread = sorted(files, key=lambda path: hash(Path(path).name.encode().hex()) % 1009)
    curves: dict[str, Points] = {f"{jobs} process{'es' * (jobs > 1)}": {} for jobs in (1, said.jobs)}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for part in (8, 4, 2, 1):
            taken = spread[: len(spread) // part]
            for jobs, points in zip((1, said.jobs), curves.values(), strict=True):
                points[len(taken)] = lint(taken, jobs, folder)
        print(
            table(
                ["files", *curves],
                [
                    [str(size), *(f"{points[size]:.2f} s" for points in curves.values())]
                    for size in next(iter(curves.values()))
                ],
            )
        )
        file = folder / "generated.py"
        for what, make in GENERATED.items():
            rows = []
            for size in SIZES[what]:
                file.write_text("import torch\n" + make(size), encoding="utf-8")
                took = lint([str(file)], 1, folder)
                rows.append([str(size), f"{took:.2f} s", f"{took / size * 1000:.2f} s"])
            print("\n" + table([f"{what} in one file", "time", "for 1000"], rows))
    said.output.write_text(plot(curves), encoding="utf-8")
    print(f"\n{said.output}. {circumstances('torchperf-lint', 'libcst')}")
    return 0


def plot(curves: dict[str, Points]) -> str:
    """Files to the right, seconds upwards."""
    width, height, edge = 640, 400, 60
    most = max(max(points) for points in curves.values()), max(max(points.values()) for points in curves.values())

    def at(files: int, seconds: float) -> str:
        return f"{edge + (width - 2 * edge) * files / most[0]:.1f},{height - edge - (height - 2 * edge) * seconds / most[1]:.1f}"

    lines = []
    for number, (name, points) in enumerate(curves.items()):
        colour = ("#c0392b", "#2471a3", "#1e8449")[number % 3]
        path = " ".join(at(files, seconds) for files, seconds in {0: 0.0, **points}.items())
        x, y = at(*list(points.items())[-1]).split(",")
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        lines.append(
            f'<text x="{float(x) - 110}" y="{float(y) - 8}" fill="{colour}">{name}: {points[max(points)]:.1f} s</text>'
        )
    axes = f'<path d="M{edge},{edge} V{height - edge} H{width - edge}" fill="none" stroke="black"/>'
    labels = f'<text x="{width - edge}" y="{height - edge + 20}">{most[0]} files</text><text x="8" y="{edge - 8}">{most[1]:.1f} s</text>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">'
    return "\n".join([head, axes, labels, *lines, "</svg>", ""])


if __name__ == "__main__":
    sys.exit(main())
