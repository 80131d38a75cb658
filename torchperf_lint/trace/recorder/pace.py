"""How many steps each phase takes: as many as the user says, else what makes short steps countable and long ones bearable.

A program may end early, and nobody knows when: its first steps are timed briefly, so that a loop of a hundred short steps
has been profiled when it ends. Those after the profiled ones are timed for longer, where there are some.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from torchperf_lint.trace import rounds


@dataclass(frozen=True, slots=True)
class Length:
    """A phase is over after `least` steps and `seconds`, after `most` steps, or after `few` steps and `patience` seconds."""

    least: int
    seconds: float
    most: int
    few: int
    patience: float

    def is_over(self, steps: int, seconds: float) -> bool:
        enough = steps >= self.least and seconds >= self.seconds
        return enough or steps >= self.most or (steps >= self.few and seconds >= self.patience)


WARM_UP: Final = Length(5, 0.5, 10, 3, 20)
BASE: Final = Length(10, 1.0, 20, 3, 20)
BASE_AGAIN: Final = Length(10, 1.0, 300, 3, 20)
PROFILED: Final = Length(20, 0.0, 20, 3, 10)
SHORT_WARM_UP: Final = Length(2, 0.15, 60, 2, 20)
SHORT_BASE: Final = Length(8, 0.5, 200, 3, 20)
"""Where programs are held against each other, processes differ by more than steps do: many short runs tell more."""
ONE: Final = Length(1, 0, 1, 1, 0)
UNLIKE: Final = {"profiled": Length(20, 4.0, 64, 3, 10), "base again": Length(64, 4.0, 300, 3, 20)}
"""Steps that are not alike may come in rounds of many: more of them are seen."""

OF_RANKS: Final = {"warm-up": 5, "base": 15, "profiled": 20, "base again": 60}
"""Ranks wait for each other in each step: all change phase at the same one, or one is timed while another sets up a profiler."""


class Pace:
    """The length of each phase; `first` and `last` are the profiled steps that the user asks for.

    Where nothing is profiled, `warm` steps are followed by `last` that are timed.
    """

    def __init__(
        self, first: int | None, last: int | None, *, profile: bool, warm: int | None = None, ranks: int = 1
    ) -> None:
        self._lengths = {
            "warm-up": WARM_UP if profile else SHORT_WARM_UP, "base": BASE if profile else SHORT_BASE,
            "setting up": ONE, "profiled": PROFILED, "settling": ONE,
            "base again": BASE_AGAIN,
        }  # fmt: skip
        if profile and ranks > 1:
            self._lengths |= {phase: Length(steps, 0, steps, steps, 0) for phase, steps in OF_RANKS.items()}
        self._is_free = profile and first is None and ranks == 1
        """Whether as many steps are profiled as it takes."""
        if first is not None and last is not None:
            warm = first // 3  # none before the earliest step that can be profiled
            base = max(1, first - warm - 1)  # the step before the first is for setting the profiler up
            for name, steps in (("warm-up", warm), ("base", base), ("profiled", last - first), ("base again", base)):
                self._lengths[name] = Length(steps, 0, steps, steps, 0)
        for name, asked in (("warm-up", warm), ("base", last)):
            if not profile and asked is not None:
                self._lengths[name] = Length(asked, 0, asked, asked, 0)

    def is_over(self, phase: str, steps: int, seconds: float, times: Sequence[int] = ()) -> bool:
        """Whether a phase of so many steps is over; `times` are when those of a timed phase began."""
        over = self._lengths[phase].is_over(steps, seconds)
        if over and phase == "base" and self._is_free and not rounds.are_alike(times):
            self._lengths |= UNLIKE
        return over

    def warm_at_the_end(self, begun: int) -> int:
        """The steps that do not count of a program that ended while it warmed up, after so many had begun."""
        return max(self._lengths["warm-up"].least, begun - 1 - self._lengths["base"].most)
