"""Which of the fixes pay: all together first, then by halves, as far as the time goes.

Results come before times: what changes them, beyond what the program does by itself, is found by halves and left out.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from torchperf_lint.verify.program import compare
from torchperf_lint.verify.program.compare import FEWEST, Ratio, ratio
from torchperf_lint.verify.program.runs import Run
from torchperf_lint.verify.verdict import DIFFERENT, FASTER, NO_GAIN, NOT_MEASURED, SLOWER

MOST: Final = 40
"""Pairs of processes, however much time there is."""

Change = tuple[str, ...]
"""The fixes that are applied together, by fingerprint; none: the original."""


class StoppedError(Exception):
    """The program itself cannot be measured; says why."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said of a set of fixes, and so of each of them."""

    change: Change
    verdict: str
    reason: str | None = None
    ratio: Ratio | None = None
    before: tuple[float, int | None] | None = None
    """A step in milliseconds, and the peak of memory in bytes."""
    after: tuple[float, int | None] | None = None


@dataclass
class Search:
    """Measures sets of fixes of one program."""

    results: Callable[[Change], Run]
    timed: Callable[[Change], Run]
    tell: Callable[[str], None]
    precision: float = 0.02
    """The width of the interval at which more pairs tell nothing new."""
    seconds: float = 600.0
    now: Callable[[], float] = time.monotonic
    verdicts: list[Verdict] = field(default_factory=list)
    """In the order in which they came; later ones speak of fewer fixes, and so count more."""
    itself: Ratio | None = None
    """The original against itself."""
    notes: list[str] = field(default_factory=list)
    base: Run | None = None

    def run(self, fixes: Sequence[str]) -> None:
        """Find out all that the time allows; what is known stays in `verdicts` if this is interrupted."""
        self._until = self.now() + self.seconds
        self._random = random.Random(0)
        self._originals: list[Run] = []
        self._itself: list[tuple[float, float]] = []
        same = self._same_results(tuple(fixes))
        if same:
            self._times(same, share=0.5, is_all=True)

    def by_fix(self) -> Mapping[str, Verdict]:
        """The verdict of each fix: the last one that speaks of it."""
        return {fix: verdict for verdict in self.verdicts for fix in verdict.change}

    # ---- results

    def _same_results(self, fixes: Change) -> Change:
        """The fixes that leave the results as they are."""
        self.tell("results of the original")
        first = self._original(self.results(()))
        self.tell("results of the original once more")
        again = self._original(self.results(()))
        self._first, self._again = first.results, again.results
        if first.results.is_empty:
            self.notes.append("Nothing takes gradients in its first steps, so results were not compared.")
            return fixes
        if not compare.is_repeatable(first.results, again.results):
            self.notes.append(
                "The original's losses differ from run to run: only larger changes are seen. Give it a seed."
            )
        return self._kept(fixes)

    def _original(self, run: Run) -> Run:
        if run.problem is not None:
            raise StoppedError(run.problem)
        return run

    def _kept(self, fixes: Change) -> Change:
        """The part of some fixes that changes no results, found by halves."""
        differs = self._difference(fixes)
        if differs is None:
            return fixes
        if len(fixes) == 1:
            self.verdicts.append(Verdict(fixes, DIFFERENT, differs))
            return ()
        middle = len(fixes) // 2
        left, right = self._kept(fixes[:middle]), self._kept(fixes[middle:])
        kept = (*left, *right)
        if kept and left and right and (differs := self._difference(kept)) is not None:
            self.verdicts.append(Verdict(right, DIFFERENT, f"together with the others: {differs}"))
            return left
        return kept

    def _difference(self, fixes: Change) -> str | None:
        self.tell(f"results with {_counted(fixes)}")
        run = self.results(fixes)
        if run.problem is not None:
            return run.problem
        return compare.difference(self._first, self._again, run.results)

    # ---- times

    def _times(self, fixes: Change, share: float, *, is_all: bool = False) -> None:
        """Measure fixes together, then, if they matter, each half; of all of them too, as one may hide another."""
        verdict = self._measured(fixes, share)
        self.verdicts.append(verdict)
        matters = verdict.verdict in (FASTER, SLOWER) or (is_all and verdict.verdict == NO_GAIN)
        if len(fixes) == 1 or not matters:
            return
        middle = len(fixes) // 2
        for half in (fixes[:middle], fixes[middle:]):
            self._times(half, share=0.5)

    def _measured(self, fixes: Change, share: float) -> Verdict:
        pairs: list[tuple[Run, Run]] = []
        longest = 0.0
        until = self.now() + share * max(0.0, self._until - self.now())
        while len(pairs) < MOST and not self._is_enough(pairs):
            longest = max((before.seconds + after.seconds for before, after in pairs), default=0.0)
            if pairs and self.now() + longest > (until if len(pairs) >= FEWEST else self._until):
                break
            if not pairs and self.now() > self._until:
                return Verdict(fixes, NOT_MEASURED, "the time was over (--time)")
            self.tell(f"pair {len(pairs) + 1} of at least {FEWEST} with {_counted(fixes)}")
            pair = self._pair(fixes)
            if pair[1].problem is not None:
                return Verdict(fixes, NOT_MEASURED, pair[1].problem)
            pairs.append(pair)
        if len(pairs) < FEWEST:
            needed = math.ceil((FEWEST + 1) * longest / 60)
            return Verdict(
                fixes, NOT_MEASURED, f"{FEWEST} pairs of runs take some {needed} min, more than --time leaves"
            )
        return self._verdict(fixes, pairs)

    def _pair(self, fixes: Change) -> tuple[Run, Run]:
        """The original and the changed program, in random order; now and then the original once more."""
        order: list[Change] = [(), fixes]
        if len(self._originals) % 2 == 1:
            order.append(())
        self._random.shuffle(order)
        runs: dict[bool, list[Run]] = {True: [], False: []}
        for change in order:
            run = self.timed(change)
            runs[bool(change)].append(run if change else self._original(run))
        originals = runs[False]
        self._originals += originals[:1]
        self.base = self.base or originals[0]
        if len(originals) == 2:
            self._itself.append((originals[0].ms or 0.0, originals[1].ms or 0.0))
            self.itself = ratio(self._itself)
        return originals[0], runs[True][0]

    def _is_enough(self, pairs: Sequence[tuple[Run, Run]]) -> bool:
        if len(pairs) < FEWEST:
            return False
        found = self._ratio(pairs)
        return found is not None and found.width <= self.precision

    def _ratio(self, pairs: Sequence[tuple[Run, Run]]) -> Ratio | None:
        found = ratio([(before.ms or 0.0, after.ms or 0.0) for before, after in pairs])
        return compare.widened(found, self.itself) if found is not None else None

    def _verdict(self, fixes: Change, pairs: Sequence[tuple[Run, Run]]) -> Verdict:
        found = self._ratio(pairs)
        before, after = (_middle([pair[side] for pair in pairs]) for side in (0, 1))
        return Verdict(fixes, compare.verdict(found, self.precision / 2), None, found, before, after)


def _middle(runs: Sequence[Run]) -> tuple[float, int | None]:
    """The median step, and the highest peak."""
    times = sorted(run.ms or 0.0 for run in runs)
    peaks = [run.peak for run in runs if run.peak]
    return times[len(times) // 2], max(peaks, default=None)


def _counted(fixes: Change) -> str:
    return "one fix" if len(fixes) == 1 else f"{len(fixes)} fixes"
