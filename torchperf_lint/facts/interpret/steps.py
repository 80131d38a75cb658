"""How many steps an analysis has taken, and how many of them count.

    taken      each expression that is evaluated, here and now: bounds the time
    counted    the same, as if nothing had been known and each answer had been worked out once: whether a file is given up hangs
               on that, and so on the program, not on what was found for another file of the run

What a circle of answers works out again is taken and does not count, for where it is entered depends on who asks first.
"""

from __future__ import annotations

from typing import Final

from torchperf_lint.facts.domain.budget import STEPS_AT_MOST, GaveUpError

AGAIN: Final = 4
"""So many times as many steps may be taken as count: the most that was met is 2.7 times."""


class Steps:
    """The steps of one analysis."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        """So many may count."""
        self.taken = 0
        self.most = min(AGAIN * limit, STEPS_AT_MOST)
        """So many may be taken."""
        self._of_answers = 0
        """Those that were taken for answers: they count with these."""
        self._counted = 0
        """Those that count for answers."""

    @property
    def counted(self) -> int:
        """How many count; more than may where too many were taken."""
        return self._counted + self.taken - self._of_answers if self.taken <= self.most else self.limit + 1

    @property
    def room(self) -> int:
        """How many more might count without a thought of giving the file up."""
        return self.limit // 2 - self.counted

    def spend(self, steps: int = 1) -> None:
        """Take a step, or several, if there are any left."""
        self.taken += steps
        if self.taken > self.most:
            raise GaveUpError

    def answered(self, taken: int) -> None:
        """Steps were taken for an answer."""
        self._of_answers += taken

    def count(self, steps: int) -> None:
        """What an answer takes counts, if there are so many left."""
        self._counted += steps
        if steps and self.counted > self.limit:
            raise GaveUpError
