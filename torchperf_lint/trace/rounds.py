"""Steps that are not alike, but come in rounds: after so many they repeat, as where an agent plays before it learns for a while.

Read in the user's process and in ours: it stands on nothing but Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from statistics import median
from typing import Final

LONG: Final = 2.0
"""A step that takes so many times the usual one is another kind of step."""
WORTH: Final = 0.15
"""Of all time: with less in long steps beyond what others take, steps count as alike."""
ALIKE: Final = 0.3
"""Steps a round apart differ by less than this part of what any two differ by."""
LEAST: Final = 3
"""Rounds that have to be seen."""


def are_alike(times: Sequence[float]) -> bool:
    """Whether few steps stick out, by the times at which they begin."""
    steps = _steps(times)
    usual = median(steps) if steps else 0
    return sum(each - usual for each in steps if each > LONG * usual) <= WORTH * sum(steps)


def stalls(times: Sequence[float]) -> frozenset[int]:
    """The steps of many that are alike in which something else held the host up, as far as one can tell."""
    steps = _steps(times)
    if not steps or not are_alike(times):
        return frozenset()
    longest = LONG * median(steps)
    return frozenset(number for number, each in enumerate(steps) if each > longest)


def length(times: Sequence[float]) -> int:
    """After how many steps they repeat; 1 where they are alike, and where they never do."""
    steps = _steps(times)
    if are_alike(times):
        return 1
    apart = _apart(steps)
    for each in range(1, len(steps) // LEAST + 1):
        differences = [abs(after - before) for before, after in zip(steps, steps[each:], strict=False)]
        if sum(differences) < ALIKE * apart * len(differences):
            return each  # where it is 1, they change slowly: that is no round either
    return 1


def _steps(times: Sequence[float]) -> list[float]:
    return [after - before for before, after in pairwise(times)]


def _apart(steps: Sequence[float]) -> float:
    """By how much two steps differ, whichever they are."""
    ranked, count = sorted(steps), len(steps)
    below = accumulate(ranked, initial=0)
    total = sum(rank * each - before for rank, (each, before) in enumerate(zip(ranked, below, strict=False)))
    return total / (count * (count - 1) / 2)
