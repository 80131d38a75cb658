"""What a step gains without a wait, a copy that waits, or a stall of its loader: alone, and after those that gain more.

The replay is calibrated against the steps that ran without the profiler. Where a range of calibrations is as good, and where
these steps were not steady, the prediction has an interval, and it is never narrower than what a replay has been off by
(`rules_docs/trace.md`).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from torchperf_lint.trace.costs import busy_stretches
from torchperf_lint.trace.ranks import Others
from torchperf_lint.trace.recording import Kind, Timing, Trace
from torchperf_lint.trace.replay.calibrate import Fit, calibrate
from torchperf_lint.trace.replay.moves import pinning_us
from torchperf_lint.trace.replay.replay import Removable, Replay

LEAST: Final = 0.03
"""The share of a step from which a gain pays."""
DOUBT: Final = 0.02
"""Of a step: replays without waits were off by this much where the step before was known well."""
DOUBT_OF_GAIN: Final = 0.2
HASTE: Final = (0.0, 0.4, 1.0)
"""How much quicker a host may be that no longer loads, likeliest in the middle, by the part of the step that it has loaded: its caches
are warm, and no thread of a loader takes turns with it."""
OFF: Final = 0.1
"""A replay that is further than this from all that a step was measured to take says nothing."""
MOST_GROUPS: Final = 24

PAYS: Final = "pays"
NO_GAIN: Final = "no gain"
CANNOT_TELL: Final = "cannot tell"

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Gain:
    """Milliseconds of a step that are gained."""

    ms: float
    low: float
    high: float
    after_ms: float
    """What is gained when everything ranked above is gone already."""
    verdict: str
    """`pays`, `no gain` or `cannot tell`."""


UNKNOWN: Final = Gain(0.0, 0.0, 0.0, 0.0, CANNOT_TELL)


@dataclass(frozen=True, slots=True)
class Predicted(Generic[K]):
    """All gains, the largest first."""

    gains: Mapping[K, Gain]
    everything: Gain
    """What is gained without any of them."""
    step_ms: float
    trouble: str = ""
    """Why nothing can be told."""


class Predictor:
    """Answers for one trace what a step gains without something."""

    def __init__(self, trace: Trace, others: Others | None = None) -> None:
        self._others = others
        self.trouble = ""
        """Why nothing can be told."""
        self.step_ms = trace.timing.ms if trace.timing else 0.0
        self.fits: Sequence[Fit] = ()
        """What being observed may have cost, the likeliest first."""
        if trace.timing is None or not trace.calls or not trace.steps:
            self.trouble = "there is no GPU" if trace.timing else "no step was timed without the profiler"
            return
        if trace.steps < trace.timing.round:
            self.trouble = f"its steps repeat after {trace.timing.round}, of which {trace.steps} were profiled"
            return
        self._trace = trace
        self._replay = Replay(trace)
        self.fits = calibrate(self._replay, trace.timing)
        self._launch_us = self._replay.launch_us(self.fits[0].observing)
        self._bases = [self._replay.step_ms(each.observing) for each in self.fits]
        self._wander_ms = _wander_ms(trace, trace.timing)
        self._pinning_us = pinning_us(trace)
        self._loading_ms = trace.timing.loading
        off = max(self._bases[0] - trace.timing.high, trace.timing.low - self._bases[0])
        if off > OFF * self.step_ms:
            self.trouble = f"the replay takes {self._bases[0]:.2f} ms for a step that takes {self.step_ms:.2f} ms"

    def gain(self, without: Removable) -> Gain:
        """What a step gains without something alone."""
        if self.trouble:
            return UNKNOWN
        several = [each for index in range(len(self.fits)) for each in self._gains(without, index, HASTE[0])]
        several += self._gains(without, 0, HASTE[-1]) if without.spans else ()
        likely = self._likely(without)
        doubt = max(DOUBT * self.step_ms, DOUBT_OF_GAIN * abs(likely))
        doubt += self._wander_ms * (1 - max(0.0, likely) / self.step_ms)
        low, high = min(several) - self._instead(without), max(several)
        if self._others is not None:
            least, longest = self._others.least_ms(self._trace, without, self.fits[0].observing)
            likely = min(likely, max(0.0, self.step_ms - (least + longest) / 2))
            low, high = min(low, self.step_ms - longest), min(high, max(0.0, self.step_ms - least))
        low, high = low - doubt, high + doubt
        return Gain(likely, low, high, likely, self._verdict(low, high))

    def predicted(self, groups: Mapping[K, Removable]) -> Predicted[K]:
        """What a step gains without each of some things, in the order of what they gain, and without all."""
        alone = {key: self.gain(group) for key, group in groups.items()}
        gains: dict[K, Gain] = {}
        gone, before = Removable(), 0.0
        for rank, key in enumerate(sorted(alone, key=lambda key: -alone[key].ms)):
            gone = gone + groups[key]
            total = max(before, self._likely(gone)) if rank < MOST_GROUPS and not self.trouble else before
            gains[key] = replace(alone[key], after_ms=total - before)
            before = total
        return Predicted(gains, self._of_all(gone, alone.values()), self.step_ms, self.trouble)

    def _of_all(self, gone: Removable, alone: Collection[Gain]) -> Gain:
        """Without everything a step gains no less than without one of it, whatever the replay says."""
        if self.trouble:
            return UNKNOWN
        found = self.gain(gone)
        likely, high = (max(getattr(each, name) for each in (found, *alone)) for name in ("ms", "high"))
        return Gain(likely, found.low, high, likely, self._verdict(found.low, high))

    def _instead(self, without: Removable) -> float:
        """What it may cost to do without waits: what a wait decided or read takes an operation of its own then, and what is copied
        from pinned memory has to get there; where no loader sees to that, the step does."""
        waits = sum(self._trace.calls[each].kind == Kind.WAIT for each in without.waits)
        pinning = sum(self._pinning_us.get(each, 0.0) for each in without.waits)
        return (waits * self._launch_us + pinning) / self._replay.steps / 1e3

    def _likely(self, without: Removable) -> float:
        """Between the two ways to come to the measured step, of which neither fits better for sure.

        Nothing is recorded in a loader: of one the first alone tells.
        """
        ways = (0,) if without.spans else (0, -1)
        return sum(sum(self._gains(without, index, HASTE[1])) for index in ways) / (2 * len(ways))

    def _gains(self, without: Removable, index: int, haste: float) -> tuple[float, float]:
        """What a step gains, in two ways, which differ where the replay takes longer than a step did.

        Either all of it takes too long, and what is left does too; or only what is gone does: then a step takes what is left.
        It takes no less than its loader needs for the next batch, where that stays.
        """
        fit, base = self.fits[index], self._bases[index]
        after = self._replay.step_ms(fit.observing, without)
        if haste and without.spans:
            quicker = fit.observing.slower * (1 + haste * max(0.0, 1 - after / base))
            after = self._replay.step_ms(replace(fit.observing, slower=quicker), without)
        most = fit.ms if without.spans else max(0.0, fit.ms - self._loading_ms)
        alike = min((base - after) * fit.ms / base, most)
        return alike, min(alike, max(0.0, fit.ms - after))

    def _verdict(self, low: float, high: float) -> str:
        """By what is shown of a gain, a tenth of a percent: 3.0 % is 3 %."""
        least, most = (round(each / self.step_ms, 3) if self.step_ms else 0.0 for each in (low, high))
        if least >= LEAST:
            return PAYS
        return NO_GAIN if most < LEAST else CANNOT_TELL


def _wander_ms(trace: Trace, timing: Timing) -> float:
    """How far the host's part of a step wanders by itself: a GPU takes as long for the same work, a host does not."""
    works = sum(stop - start for start, stop in busy_stretches(trace.works)) / trace.steps / 1e3
    return timing.wander * max(0.0, timing.ms - works)
