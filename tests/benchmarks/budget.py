"""Where the CPU time of a lint goes, against the bare LibCST parse of the same files: the budget of index, facts and rules.

    python tests/benchmarks/budget.py FOLDER...

One process, no cache, the garbage collector off, as in a worker. `rest` is all that is neither parser: the outline, facts,
rules, findings.
"""

from __future__ import annotations

import argparse
import ast
import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import libcst
from measure import circumstances, table, torch_files

from torchperf_lint.config.config import Config
from torchperf_lint.run.lint_file import lint_bytes
from torchperf_lint.syntax import pieces, tree


class Clock:
    """Adds up the CPU time of a function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.seconds = 0.0

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        start = time.process_time()
        try:
            return self.function(*arguments, **named)
        finally:
            self.seconds += time.process_time() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    said = parser.parse_args()
    files = {path: path.read_bytes() for path in torch_files(said.folders)}
    gc.disable()

    bare, plain = Clock(libcst.parse_module), Clock(ast.parse)
    for data in files.values():
        bare(data)
        plain(data)
    gc.collect()

    config = Config(root=Path.cwd(), cache=False)
    lint_bytes(b"import torch", "warm.py", config)
    concrete, abstract, whole = Clock(pieces.read), Clock(ast.parse), Clock(lint_bytes)
    pieces.read = concrete  # type: ignore[assignment]
    tree.ast = type("Ast", (), {**vars(ast), "parse": staticmethod(abstract)})  # type: ignore[attr-defined, assignment]
    found = 0
    for path, data in files.items():
        found += len(whole(data, str(path), config))
    rest = whole.seconds - concrete.seconds - abstract.seconds

    rows = {
        "bare LibCST parse of all": bare.seconds,
        "bare `ast.parse` of all": plain.seconds,
        "lint": whole.seconds,
        "of it, LibCST's parser with what pairs the trees": concrete.seconds,
        "of it, `ast.parse`": abstract.seconds,
        "of it, the rest": rest,
    }
    print(
        table(
            ["", "CPU", "of the bare parse"],
            [[name, f"{took:.2f} s", f"{took / bare.seconds:.2f}"] for name, took in rows.items()],
        )
    )
    print(
        f"\n{len(files)} files with torch, {sum(map(len, files.values())) / 1e6:.1f} MB, {found} findings. {circumstances('libcst')}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
