"""How often code runs, as one scale; `how_often` says which code is where on it."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from torchperf_lint.facts.domain.fact import Fact, Sure


class Frequency(IntEnum):
    """How often code runs; compares."""

    ONCE = 0
    """Once, once an epoch, or nobody knows."""
    INFERENCE = 1
    """In a loop that runs a model, generates, or steps an environment."""
    STEP = 2
    """At every training step."""
    INNER = 3
    """Inside of what each step runs: in `forward`, in a loss, in a loop within a step."""


COLD: Final = Fact(Frequency.ONCE, Sure.PROVEN)
