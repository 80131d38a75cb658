"""What times and results of runs come to: how much faster a changed program is, and whether it computes the same.

Pure: runs are made elsewhere. A run counts with its mean step; runs come in pairs close in time, because hosts drift.
The original is timed against itself as well, and no gain is believed that is not larger than what it shows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from torchperf_lint.model.impact import WORTH
from torchperf_lint.verify.verdict import CANNOT_TELL, FASTER, NO_GAIN, NOT_MEASURED, SLOWER

FEWEST: Final = 6
"""Pairs of processes: three cannot tell anything at 0.05."""

_T: Final = (
    12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
    2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
"""Student's t at 0.975 for 1, 2, ... degrees of freedom."""
_LARGE: Final = 1.96
_SMALLER: Final = 2.46
"""By so much more, divided by the degrees of freedom, it is beyond the table."""
MOST_NEEDED: Final = 1000
"""Pairs that nobody would wait for, so nobody is told of them."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times faster, with the interval that holds it in 95 of 100 cases."""

    speedup: float
    low: float
    high: float
    pairs: int

    @property
    def width(self) -> float:
        return self.high / self.low - 1

    @property
    def words(self) -> str:
        return f"{self.speedup:.2f}x ({self.low:.2f} to {self.high:.2f})"


def ratio(pairs: Sequence[tuple[float, float]]) -> Ratio | None:
    """The ratio of the first to the second of each pair; None of fewer than two."""
    logs = [math.log(before / after) for before, after in pairs if before > 0 and after > 0]
    if len(logs) < 2:
        return None
    middle = fmean(logs)
    degrees = len(logs) - 1
    t = _T[degrees - 1] if degrees <= len(_T) else _LARGE + _SMALLER / degrees
    variance = math.fsum((each - middle) ** 2 for each in logs) / degrees  # `stdev` adds fractions: fifty times as long
    half = t * math.sqrt(variance / len(logs))
    return Ratio(math.exp(middle), math.exp(middle - half), math.exp(middle + half), len(logs))


def widened(found: Ratio, itself: Ratio | None) -> Ratio:
    """A ratio whose interval is no narrower than what the original shows against itself asks for."""
    if itself is None:
        return found
    off = abs(math.log(itself.speedup))
    low, high = math.log(found.low), math.log(found.high)
    middle = math.log(found.speedup)
    low, high = min(low, middle - off), max(high, middle + off)
    return Ratio(found.speedup, math.exp(low), math.exp(high), found.pairs)


def verdict(found: Ratio | None, worth: float = WORTH, *, both: bool = False) -> str:
    """What a ratio comes to in a word: a gain of `worth`, none of that size for sure, or neither for sure.

    With `both`, a loss of that size must be ruled out as well before it is called no gain.
    """
    if found is None:
        return NOT_MEASURED
    if found.low > 1 and found.speedup >= worth:
        return FASTER
    if found.high < 1 and found.speedup <= 1 / worth:
        return SLOWER
    return NO_GAIN if found.high < worth and not (both and found.low <= 1 / worth) else CANNOT_TELL


def in_other_words(word: str, found: Ratio, worth: float, seconds: float, *, both: bool = False) -> str | None:
    """What to know of a word beside the interval; `seconds` is what a pair takes."""
    if word == NO_GAIN and found.low > 1:
        return f"it is faster, but by less than {100 * (worth - 1):.2g} %"
    if word != CANNOT_TELL:
        return None
    said, needed = "the runs differ too much", _needed(found, worth, both=both)
    if needed > MOST_NEEDED:
        return said
    return f"{said}; if it is {found.speedup:.2f}x, some {needed} pairs of runs tell ({math.ceil(needed * seconds / 60)} min)"


def _needed(found: Ratio, worth: float, *, both: bool) -> float:
    """How many pairs would tell if what was measured is what is true: that there is a gain, or none that counts."""
    middle, half, least = math.log(found.speedup), math.log(found.high / found.low) / 2, math.log(worth)
    middle = abs(middle) if both else middle
    room = middle if middle >= least else least - middle
    return max(found.pairs + 1, math.ceil(found.pairs * (half / room) ** 2))


@dataclass(frozen=True, slots=True)
class Results:
    """What a program computed in its first steps."""

    losses: tuple[tuple[int, float], ...] = ()
    """What `.backward()` was called on, with the step in which it was, in order."""
    parameters: tuple[tuple[float, float], ...] = ()
    """A checksum of each parameter after them, and the sum of its absolute values."""

    @property
    def is_empty(self) -> bool:
        return not self.losses and not self.parameters


NOISE: Final = 4.0
"""A difference counts that is so many times what the original shows against itself, at the most."""
GROWN: Final = 10.0
"""The same where the original begins alike each time: what rounding makes of it grows with each step by some factor."""
ROUNDING: Final = 1e-4
"""A share that is no difference in a program that repeats itself exactly: sums in another order."""
EXACT: Final = 1e-6
"""A share by which losses differ at the most that are computed in the same way of the same numbers."""


def difference(first: Results, again: Results, changed: Results) -> str | None:
    """How a changed program differs beyond the original's own noise, in words; None where it does not.

    `again` is the original with the last digits of its parameters changed after each of these steps: its noise is what it
    does by itself and what it makes of rounding.
    """
    if len(first.losses) != len(changed.losses) and len(first.losses) == len(again.losses):
        return f"{len(changed.losses)} backward passes in these steps instead of {len(first.losses)}"
    noise = _noise_of_losses(first, again)
    for number, ((step, one), (_, other)) in enumerate(zip(first.losses, changed.losses, strict=False)):
        if _apart(one, other, max(abs(one), abs(other)), noise[min(number, len(noise) - 1)] if noise else 0.0):
            return f"the loss of step {step} is {other:.6g} instead of {one:.6g}"
    if len(first.parameters) != len(changed.parameters):
        return f"{len(changed.parameters)} parameters instead of {len(first.parameters)}"
    pairs = zip(first.parameters, again.parameters, strict=False)
    own = max(_shares([(one, two, scale) for (one, scale), (two, _) in pairs]), default=0.0)
    for number, ((one, scale), (other, _)) in enumerate(zip(first.parameters, changed.parameters, strict=False), 1):
        if _apart(one, other, scale, NOISE * own):
            return f"parameter {number} of {len(first.parameters)} is another after these steps"
    return None


def apart(first: Results, other: Results) -> float:
    """The largest share of itself by which a loss of the first steps is another one."""
    return max(_shares_of_losses(first, other), default=0.0)


def _noise_of_losses(first: Results, again: Results) -> list[float]:
    """For each loss the share of it by which another one is still the original's.

    Of one number two runs may happen to agree where others do not: it is the largest of several that tells how far apart
    they are. Where the program begins in the same way each time, noise grows with the steps, so those to come, but for
    the next one, say nothing: a wrong gradient shows in the second step, before rounding has become as large.
    """
    shares = _shares_of_losses(first, again)
    steps = [step for step, _ in first.losses[: len(shares)]]
    begins_alike = all(share <= EXACT for share, step in zip(shares, steps, strict=True) if step == steps[0])
    if not begins_alike:
        return [NOISE * max(shares)] * len(shares)
    return [
        GROWN * max(share for share, other in zip(shares, steps, strict=True) if other <= step + 1) for step in steps
    ]


def _shares_of_losses(first: Results, other: Results) -> list[float]:
    pairs = zip(first.losses, other.losses, strict=False)
    return _shares([(one, two, max(abs(one), abs(two))) for (_, one), (_, two) in pairs])


def _shares(pairs: Sequence[tuple[float, float, float]]) -> list[float]:
    """By which share of a scale numbers are apart; what is infinite or at no scale is 0."""
    return [
        abs(one - two) / scale if scale > 0 and all(map(math.isfinite, (one, two, scale))) else 0.0
        for one, two, scale in pairs
    ]


def _apart(one: float, other: float, scale: float, noise: float) -> bool:
    """Whether a number is another one, beyond what the original does by itself and what is rounding at its scale."""
    if math.isnan(other) or math.isnan(one):
        return math.isnan(other) != math.isnan(one)
    if math.isinf(other) or math.isinf(one):
        return other != one
    return abs(other - one) > (noise + ROUNDING) * scale + 1e-12


def is_repeatable(first: Results, again: Results) -> bool:
    """Whether the original computes nearly the same twice: else nothing can be said of a change."""
    pairs = [*zip(first.losses, again.losses, strict=False)]
    return all(abs(one - two) <= 0.02 * max(abs(one), abs(two), 1e-12) for (_, one), (_, two) in pairs)
