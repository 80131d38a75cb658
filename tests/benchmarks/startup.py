"""How soon the tool answers: help, an unchanged file, a changed file of 500 lines, against what Python itself takes.

python tests/benchmarks/startup.py
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from measure import OURS, best, circumstances, run, table

FUNCTION = """
def step_{0}(model, loader, optimizer):
    for x in loader:
        loss = model(x.cuda() * {0}).sum()
        loss.backward()
        optimizer.step()
        if loss > {0}:
            print(loss.item())
    return torch.zeros({0}).cuda()
"""
TIMES = 9


def main() -> int:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        file = folder / "long.py"
        file.write_text("import torch\n" + "".join(FUNCTION.format(number) for number in range(50)), encoding="utf-8")
        lint = [*OURS, "--isolated", "--quiet", "--cache-dir", f"{scratch}/cache", str(file)]
        run(lint, folder)
        rows = [
            ("python -c pass", [sys.executable, "-c", "pass"]),
            ("python -c 'import libcst'", [sys.executable, "-c", "import libcst"]),
            ("torchperf-lint --help", [*OURS, "--help"]),
            ("torchperf-lint, one unchanged file", lint),
            ("torchperf-lint, one changed file of 500 lines", [*lint, "--no-cache"]),
        ]
        costs = [(name, best(command, folder, TIMES)) for name, command in rows]
    python, library = costs[0][1].wall, costs[1][1].wall
    cells = [
        [name, f"{cost.wall * 1000:.0f} ms", f"{(cost.wall - python) * 1000:+.0f} ms", f"{cost.wall / library:.2f}"]
        for name, cost in costs
    ]
    print(table(["", "time", "beyond `pass`", "of `import libcst`"], cells))
    print(f"\nBest of {TIMES}. {circumstances('torchperf-lint', 'libcst')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
