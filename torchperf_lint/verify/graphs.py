"""How many graphs `torch.compile` makes of a program, and whether later calls compile anew: Dynamo counts both, on any device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import torch

CALLS: Final = 5
"""So many calls: a guard that changes each time compiles in each of them."""


def counted(ready: Callable[[], Callable[[], object]]) -> tuple[int, int]:
    """The graphs that the first call of a program makes, and those that the other calls make."""
    dynamo: Any = torch._dynamo
    dynamo.reset()
    made = dynamo.utils.counters["stats"]
    made.clear()
    call = ready()
    call()
    first = int(made["unique_graphs"])
    for _ in range(CALLS - 1):
        call()
    return first, int(made["unique_graphs"]) - first
