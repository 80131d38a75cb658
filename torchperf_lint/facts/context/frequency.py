"""How often code runs, as one scale; `how_often` says which code is where on it."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from torchperf_lint.facts.domain.fact import Evidence, Fact, Sure


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

SEEMS: Final = ", it seems"
"""How evidence ends that says no more than what a name suggests: what rests on it is a hint."""


def seeming(found: Fact[Frequency]) -> tuple[Evidence, ...]:
    """What of the evidence only a name suggests."""
    return tuple(each for each in found.because if each.message.endswith(SEEMS))


def outweighs(found: Fact[Frequency], best: Fact[Frequency]) -> bool:
    """Whether one answer is to be told instead of another: what is shown goes before what a name suggests, then what runs more often."""
    if not found.value or not best.value:
        return bool(found.value)
    return (not seeming(found), found.value) > (not seeming(best), best.value)
