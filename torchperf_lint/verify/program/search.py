"""Which of the fixes pay: all together first, then one by one in the order of what a trace predicts of them, or by halves.

Results come before times: what changes them, beyond what the program does by itself, is found by halves and left out.
What the time did not allow takes nothing away from what was measured before.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from torchperf_lint.report.summary import counted
from torchperf_lint.verify.program import compare
from torchperf_lint.verify.program.changes import Change, Verdict, counted_fixes, middle
from torchperf_lint.verify.program.compare import FEWEST, Ratio, ratio
from torchperf_lint.verify.program.runs import Run
from torchperf_lint.verify.verdict import CANNOT_TELL, DIFFERENT, FASTER, NO_GAIN, NOT_MEASURED, SLOWER

MOST: Final = 200
"""Pairs of processes, however much time there is."""
WORTH: Final = 1.5
"""So many times the precision is the least gain that counts: 3 % where it is 2 %."""
OVER: Final = "the time was over (--time)"
ALL: Final = 0.75
"""The share of the time that all fixes together get, and all of it where nothing can be told by then: of their parts less
can be seen than of the whole."""
RESULT_RUNS: Final = 3
"""Runs before the first pair: the results of the original, twice, and of the changed program."""


class StoppedError(Exception):
    """The program itself cannot be measured; says why."""


@dataclass
class Search:
    """Measures sets of fixes of one program."""

    results: Callable[[Change], Run]
    """What the program computes with some fixes; with none of them as it is."""
    nudged: Callable[[], Run]
    """What the original computes where its parameters are moved by their last digit."""
    timed: Callable[[Change], Run]
    tell: Callable[[str], None]
    """Says what goes on."""
    say: Callable[[Verdict], None] = lambda _: None
    """Is given each verdict as it comes."""
    gains: Mapping[str, float] = field(default_factory=dict)
    """What a trace predicts of fixes: the share of a step. Those it expects nothing of are not there."""
    meant: Mapping[str, str] = field(default_factory=dict)
    """Why fixes are meant to compute something else: these are left for later, for they would hide what the others do."""
    precision: float = 0.02
    """The width of the interval at which more pairs tell nothing new."""
    both: bool = False
    """Whether a loss is asked for as a gain is."""
    seconds: float = 600.0
    now: Callable[[], float] = time.monotonic
    verdicts: list[Verdict] = field(default_factory=list)
    """In the order in which they came; later ones speak of fewer fixes, and so count more."""
    itself: Ratio | None = None
    """The original against itself."""
    own: float = 0.0
    """The share by which losses of the original are others with the last digit of its parameters changed."""
    notes: list[str] = field(default_factory=list)
    base: Run | None = None

    def run(self, fixes: Sequence[str]) -> None:
        """Find out all that the time allows; what is known stays in `verdicts` if this is interrupted."""
        self._until = self.now() + self.seconds
        self._random = random.Random(0)
        self._originals: list[Run] = []
        self._itself: list[tuple[float, float]] = []
        self._before: Run | None = None
        self._compared: dict[Change, Run] = {}
        """The runs of fixes whose results were compared."""
        self._differences: dict[Change, str | None] = {}
        self._original_results()
        meant = tuple(fix for fix in fixes if fix in self.meant)
        same = self._kept(tuple(fix for fix in fixes if fix not in meant))
        self._spare = 2 * self._again.seconds if meant else 0.0
        all_same = self._came(self._measured(same, share=ALL, is_all=True)) if same else None
        if meant and self.now() > self._until:
            self._came(Verdict(meant, NOT_MEASURED, OVER))
        elif others := self._kept(meant):
            self._beside(same, others)
        if all_same is not None:
            self._look_into(all_same, is_all=True)

    def by_fix(self) -> Mapping[str, Verdict]:
        """The verdict of each fix: the last one that speaks of it, and of those the last that was measured."""
        found: dict[str, Verdict] = {}
        for verdict in self.verdicts:
            for fix in verdict.change:
                if verdict.verdict != NOT_MEASURED or fix not in found:
                    found[fix] = verdict
        return found

    def _came(self, verdict: Verdict) -> Verdict:
        self.verdicts.append(verdict)
        self.say(verdict)
        return verdict

    # ---- results

    def _original_results(self) -> None:
        """What the original computes, and how far it is from itself."""
        self.tell("results of the original")
        first = self._original(self.results(()))
        self.tell("results of the original once more")
        again = self._original(self.nudged())
        self._first, self._again = first, again
        self._before = again if again.ms else None
        needed, left = math.ceil((FEWEST * 2 + 1) * again.seconds), math.ceil(self._until - self.now())
        if needed > left:
            self.tell(f"{FEWEST} pairs of runs take some {needed} s: --time leaves {max(0, left)} s and will not do")
        if first.results.is_empty:
            self.notes.append("Nothing takes gradients in its first steps, so results were not compared.")
            return
        self.own = compare.apart(first.results, again.results)
        if not compare.is_repeatable(first.results, again.results):
            self.notes.append(
                "The original's losses differ from run to run, or with the last digit of its parameters: only larger "
                "changes are seen. Give it a seed if it has none."
            )

    def _beside(self, same: Change, others: Change) -> None:
        """Measure what was meant to change results and does not, unless it does so beside the rest."""
        differs = self._difference((*same, *others))
        if differs is not None:
            self._came(Verdict(others, DIFFERENT, f"together with the others: {differs}", apart=self._apart(others)))
        else:
            self._times(others, share=0.5)

    def _original(self, run: Run) -> Run:
        if run.problem is not None:
            raise StoppedError(run.problem)
        return run

    def _kept(self, fixes: Change) -> Change:
        """The part of some fixes that changes no results: those that do are found by halves, one after the other."""
        while fixes and (differs := self._difference(fixes)) is not None:
            wrong, differs, words = self._culprit(fixes, differs)
            why = f" ({self.meant[wrong[0]]})" if len(wrong) == 1 and wrong[0] in self.meant else ""
            self._came(Verdict(wrong, DIFFERENT, words + differs + why, apart=self._apart(wrong)))
            fixes = tuple(fix for fix in fixes if fix not in wrong)
        return fixes

    def _culprit(self, fixes: Change, differs: str) -> tuple[Change, str, str]:
        """A fix that changes results, and how; several where each does so only beside others."""
        while len(fixes) > 1:
            halves = (fixes[: len(fixes) // 2], fixes[len(fixes) // 2 :])
            found = next(((half, how) for half in halves if (how := self._difference(half)) is not None), None)
            if found is None:
                return halves[1], differs, "together with the others: "
            fixes, differs = found
        return fixes, differs, ""

    def _difference(self, fixes: Change) -> str | None:
        if self._first.results.is_empty:
            return None
        if fixes not in self._differences:
            self._differences[fixes] = self._asked(fixes)
        return self._differences[fixes]

    def _asked(self, fixes: Change) -> str | None:
        self.tell(f"results with {counted_fixes(fixes)}")
        run = self.results(fixes)
        if run.problem is not None:
            return run.problem
        self._compared[fixes] = run
        return compare.difference(self._first.results, self._again.results, run.results)

    # ---- times

    def _times(self, fixes: Change, share: float) -> None:
        """Measure fixes together, then parts of them."""
        self._look_into(self._came(self._measured(fixes, share, is_all=False)), is_all=False)

    def _look_into(self, verdict: Verdict, *, is_all: bool) -> None:
        """Measure parts of what was measured together, if it matters; of all fixes too, as one may hide another."""
        fixes = verdict.change
        matters = verdict.verdict in (FASTER, SLOWER) or (is_all and verdict.verdict == NO_GAIN)
        if len(fixes) == 1 or not matters:
            return
        for part in self._parts(fixes):
            self._times(part, share=0.5)

    def _parts(self, fixes: Change) -> tuple[Change, Change]:
        """The fix of which a trace expects most, and the rest; halves where it expects nothing of any."""
        first = max(fixes, key=lambda fix: self.gains.get(fix, 0.0))
        if first in self.gains:
            return (first,), tuple(fix for fix in fixes if fix != first)
        middle = len(fixes) // 2
        return fixes[:middle], fixes[middle:]

    def _measured(self, fixes: Change, share: float, *, is_all: bool) -> Verdict:
        pairs = self._pairs_of_results(fixes)
        last = self._until - self._spare if is_all else self._until
        until = self.now() + share * max(0.0, last - self.now())
        self.tell(f"timing {counted_fixes(fixes)}")
        while len(pairs) < MOST and not self._is_enough(pairs):
            usual = median(before.seconds + after.seconds for before, after in pairs) if pairs else 0.0
            if until < last and self.now() + usual > until and self._needs_more(pairs, is_all=is_all):
                until = last  # looked at once and not after each pair, or chance would have its say so often
            if pairs and self.now() + usual > until:
                break
            if not pairs and self.now() > self._until:
                return Verdict(fixes, NOT_MEASURED, OVER)
            left = max(0, math.ceil(self._until - self.now()))
            self.tell(f"pair {len(pairs) + 1} of at least {FEWEST} with {counted_fixes(fixes)}, {left} s left")
            try:
                pair = self._pair(fixes)
            except KeyboardInterrupt:
                if pairs:
                    self._came(self._verdict(fixes, pairs, "it was interrupted"))
                raise
            if pair[1].problem is not None:
                return Verdict(fixes, NOT_MEASURED, pair[1].problem)
            pairs.append(pair)
        return self._verdict(fixes, pairs, "--time was over")

    def _needs_more(self, pairs: Sequence[tuple[Run, Run]], *, is_all: bool) -> bool:
        """Whether the share of the time is over before anything can be told."""
        return len(pairs) < FEWEST or (is_all and self._word(self._ratio(pairs)) == CANNOT_TELL)

    def _pairs_of_results(self, fixes: Change) -> list[tuple[Run, Run]]:
        """The runs whose results were compared, a few seconds from each other, were timed as well."""
        original, changed = self._before, self._compared.get(fixes)
        if original is None or changed is None or not changed.ms:
            return []
        self._before = None
        self._originals.append(original)
        self.base = self.base or original
        return [(original, changed)]

    def _pair(self, fixes: Change) -> tuple[Run, Run]:
        """The original and the changed program, in random order; originals of neighbouring pairs are held against each other."""
        order: list[Change] = [(), fixes]
        self._random.shuffle(order)
        runs = {bool(change): self.timed(change) for change in order}
        original, changed = self._original(runs[False]), runs[True]
        self._originals.append(original)
        self.base = self.base or original
        if len(self._originals) % 2 == 0:
            self._itself.append((self._originals[-2].ms or 0.0, original.ms or 0.0))
            self.itself = ratio(self._itself)
        return original, changed

    def _is_enough(self, pairs: Sequence[tuple[Run, Run]]) -> bool:
        if len(pairs) < FEWEST:
            return False
        found = self._ratio(pairs)
        return found is not None and found.width <= self.precision

    def _ratio(self, pairs: Sequence[tuple[Run, Run]]) -> Ratio | None:
        found = ratio([(before.ms or 0.0, after.ms or 0.0) for before, after in pairs])
        return compare.widened(found, self.itself) if found is not None else None

    def _verdict(self, fixes: Change, pairs: Sequence[tuple[Run, Run]], early: str) -> Verdict:
        """What pairs come to; fewer than can tell anything are shown all the same, with why there are no more."""
        found = self._ratio(pairs)
        before, after = (middle([pair[side] for pair in pairs]) for side in (0, 1))
        seconds = sum(run.seconds for run in pairs[-1])
        if len(pairs) >= FEWEST:
            word = self._word(found)
            more = (
                compare.in_other_words(word, found, self._worth, seconds, both=self.both) if found is not None else None
            )
            return Verdict(fixes, word, more, found, before, after, self._apart(fixes))
        needed = math.ceil((FEWEST + RESULT_RUNS / 2) * seconds)
        why = f"{early} after {counted(len(pairs), 'pair')} of runs; the {FEWEST} that can tell something take some {needed} s"
        return Verdict(fixes, NOT_MEASURED, why, found, before, after, self._apart(fixes))

    @property
    def _worth(self) -> float:
        return 1 + WORTH * self.precision

    def _word(self, found: Ratio | None) -> str:
        return compare.verdict(found, self._worth, both=self.both)

    def _apart(self, fixes: Change) -> float | None:
        run = self._compared.get(fixes)
        return None if run is None or run.results.is_empty else compare.apart(self._first.results, run.results)
