"""How many steps of Python linting a text takes: lines that run, in every function and at every turn of every loop.

The number is the same on every machine, so that how it grows can be a test.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from itertools import count
from math import log2
from pathlib import Path
from types import FrameType
from typing import Any, Final

from torchperf_lint.config.config import Config
from torchperf_lint.config.selection import Layer, chosen
from torchperf_lint.model.finding import Finding
from torchperf_lint.run.lint_file import lint_bytes

CONFIG: Final = Config(root=Path("/nowhere"), rules=chosen([Layer(select=("ALL",))]), cache=False)


_numbers = count()


def lint(text: str) -> list[Finding]:
    """What is found in a text with all rules; each time in another file, for what is known of one is not found again."""
    return list(lint_bytes(text.encode(), f"family{next(_numbers)}.py", CONFIG))


def steps(text: str) -> int:
    """The steps of linting a text with all rules."""
    return steps_of(lambda: lint(text))


def steps_of(work: Callable[[], object]) -> int:
    """The steps of any work."""
    taken = 0

    def trace(_: FrameType, event: str, __: Any) -> Any:
        nonlocal taken
        if event == "line":
            taken += 1
        return trace

    before = sys.gettrace()
    gc.disable()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
        gc.enable()
    return taken


def exponent(first: int, second: int, third: int, *, start: int, end: int) -> float:
    """With which power of n something grows where n comes to an end, by what it is at n = start, 2 and 4 times that.

    What comes out is the slope of the parabola through the three points: that of a line is 1, and what a square is to
    become shows long before it hurts.
    """
    square = (third - 3 * second + 2 * first) / (6 * start**2)
    slope = (second - first) / start - 3 * square * start
    constant = first - slope * start - square * start**2

    def at(n: int) -> float:
        return max(constant + slope * n + square * n * n, 1.0)

    return log2(at(end) / at(end // 2))
