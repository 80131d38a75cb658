"""Two programs timed against each other: warm-up, interleaved pairs, an interval, when to stop.

Times drift: clocks of the chip, caches, other processes. So the two are measured in turns, each pair close together, in
several rounds that are each set up anew, because where memory lies and what the allocator holds differ from one set-up
to the next; and in several processes, because these differ in more than that.

    process 1   round 1   warm-up   b a   a b   b a ...
                round 2   warm-up   b a   a b ...          a process stops when it is sure, or when time is up
    process 2   round 1   ...                              more of them where the next one might say otherwise

The interval comes from drawing processes, rounds within them and pairs within these, again and again (a bootstrap in
three stages), and is a little wider than that, because a few processes do not show all that there are.

Pure: the clock and what is measured are passed in.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from torchperf_lint.model.impact import WORTH

WARM: Final = 5
"""Calls that are compared with so many before them."""
STABLE: Final = 0.03
"""Warm is a program whose last few calls took as long as those before, but for this share."""
MOST_WARM_UP: Final = 60

ROUNDS: Final = 3
"""So many at least."""
MOST_ROUNDS: Final = 8
"""Of one process."""
PAIRS: Final = 20
"""Of one round."""
FEWEST: Final = 4
"""Pairs of a round, however long they take."""
NARROW: Final = 0.035
"""The width of the interval, as a share of the speed-up, at which more pairs tell nothing new."""

DRIFT: Final = 0.01
"""By about so much processes differ that measure the same, beyond what a few of them can see."""

RESAMPLES: Final = 400
SURE: Final = 0.99

Sample = Callable[[], float]
"""Runs a program once and gives what it took."""
Pair = tuple[float, float]
Rounds = Sequence[Sequence[Pair]]


@dataclass(frozen=True, slots=True)
class Summary:
    """What a program took, over all samples."""

    median: float
    low: float
    """A quarter took less."""
    high: float
    """A quarter took more."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two programs, timed against each other."""

    before: Summary
    after: Summary
    speedup: float
    low: float
    high: float
    pairs: int


def warm_up(sample: Sample, now: Callable[[], float], until: float) -> None:
    """Run a program until it takes as long as a moment ago."""
    taken: list[float] = []
    while len(taken) < MOST_WARM_UP:
        taken.append(sample())
        enough = len(taken) >= 2 * WARM
        if enough:
            old, new = median(taken[-2 * WARM : -WARM]), median(taken[-WARM:])
            if abs(old - new) <= STABLE * old:
                return
        if now() >= until and len(taken) >= 2:
            return


def compare(setup: Callable[[], tuple[Sample, Sample]], now: Callable[[], float], seconds: float) -> Rounds:
    """Time two programs in turns, in rounds that are set up anew, for at most about so many seconds."""
    start = now()
    rounds: list[list[Pair]] = []
    while True:
        rounds.append(_round(*setup(), now, now() + seconds / ROUNDS))
        if len(rounds) >= MOST_ROUNDS or now() - start >= seconds * (1 - 1 / (2 * ROUNDS)):
            return rounds
        if len(rounds) >= ROUNDS and is_settled(summarise([rounds])):
            return rounds


def is_settled(found: Comparison) -> bool:
    """Whether more pairs would tell nothing new."""
    return not is_at_an_edge(found.low, found.high) and found.high - found.low <= NARROW * found.speedup


def is_at_an_edge(low: float, high: float) -> bool:
    """Whether an interval holds what parts a gain, or a loss, from none: the next run would say otherwise."""
    return any(low < edge < high for edge in (WORTH, 1 / WORTH))


def _round(before: Sample, after: Sample, now: Callable[[], float], until: float) -> list[Pair]:
    share = (until - now()) / 4
    warm_up(before, now, now() + share)
    warm_up(after, now, now() + share)
    pairs: list[Pair] = []
    while len(pairs) < PAIRS and (now() < until or len(pairs) < FEWEST):
        if len(pairs) % 2:
            second = after()
            pairs.append((before(), second))
        else:
            pairs.append((before(), after()))
    return pairs


def summarise(processes: Sequence[Rounds]) -> Comparison:
    """The speed-up, as a ratio of medians, with its interval."""
    pairs = [pair for rounds in processes for each in rounds for pair in each]
    draw = random.Random(0)
    ratios = sorted(_ratio(_drawn(processes, draw)) for _ in range(RESAMPLES))
    edge = round((1 - SURE) / 2 * RESAMPLES)
    return Comparison(
        before=_summary([before for before, _ in pairs]),
        after=_summary([after for _, after in pairs]),
        speedup=_ratio(pairs),
        low=ratios[edge] / (1 + DRIFT),
        high=ratios[-1 - edge] * (1 + DRIFT),
        pairs=len(pairs),
    )


def _drawn(processes: Sequence[Rounds], draw: random.Random) -> list[Pair]:
    """Processes drawn with replacement, rounds within them, and pairs within these."""
    rounds = [each for some in draw.choices(processes, k=len(processes)) for each in draw.choices(some, k=len(some))]
    return [pair for each in rounds for pair in draw.choices(each, k=len(each))]


def _ratio(pairs: Sequence[Pair]) -> float:
    after = median(after for _, after in pairs)
    return median(before for before, _ in pairs) / after if after else 1.0


def _summary(times: list[float]) -> Summary:
    ordered = sorted(times)
    quarter = len(ordered) // 4
    return Summary(median(ordered), ordered[quarter], ordered[-1 - quarter])
