"""Two programs timed against each other: warm-up, interleaved pairs, an interval, when to stop.

Times drift: clocks of the chip, caches, other processes. So the two are measured in turns, each pair close together, in
several rounds that are each set up anew, because where memory lies and what the allocator holds differ from one set-up
to the next. The interval comes from drawing rounds, and pairs within them, again and again (a bootstrap in two stages),
and is a little wider than that, because the next process would differ too.

    round 1   warm-up   b a   a b   b a ...
    round 2   warm-up   b a   a b ...          stop when the interval is narrow and on one side of what
                                               is worth a word, or when time is up

Pure: the clock and what is measured are passed in.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

WARM: Final = 5
"""Calls that are compared with so many before them."""
STABLE: Final = 0.03
"""Warm is a program whose last few calls took as long as those before, but for this share."""
MOST_WARM_UP: Final = 60

ROUNDS: Final = 3
"""So many at least."""
MOST_ROUNDS: Final = 8
PAIRS: Final = 20
"""Of one round."""
FEWEST: Final = 4
"""Pairs of a round, however long they take."""
NARROW: Final = 0.035
"""The width of the interval, as a share of the speed-up, at which more pairs tell nothing new."""

WORTH: Final = 1.03
"""The least speed-up that is one; an interval with it inside asks for more rounds, or the next run would say otherwise."""

DRIFT: Final = 0.01
"""By about so much two processes differ that measure the same, beyond what one of them can see."""

RESAMPLES: Final = 400
SURE: Final = 0.99

Sample = Callable[[], float]
"""Runs a program once and gives what it took."""
Pair = tuple[float, float]


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


def compare(setup: Callable[[], tuple[Sample, Sample]], now: Callable[[], float], seconds: float) -> Comparison:
    """Time two programs in turns, in rounds that are set up anew, for at most about so many seconds."""
    start = now()
    rounds: list[list[Pair]] = []
    while True:
        rounds.append(_round(*setup(), now, now() + seconds / ROUNDS))
        found = summarise(rounds)
        if len(rounds) >= MOST_ROUNDS or now() - start >= seconds * (1 - 1 / (2 * ROUNDS)):
            return found
        is_narrow = found.high - found.low <= NARROW * found.speedup
        if (
            len(rounds) >= ROUNDS
            and is_narrow
            and not any(found.low < edge < found.high for edge in (WORTH, 1 / WORTH))
        ):
            return found


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


def summarise(rounds: Sequence[Sequence[Pair]]) -> Comparison:
    """The speed-up, as a ratio of medians, with its interval."""
    pairs = [pair for each in rounds for pair in each]
    draw = random.Random(0)
    ratios = sorted(_ratio(_drawn(rounds, draw)) for _ in range(RESAMPLES))
    edge = round((1 - SURE) / 2 * RESAMPLES)
    return Comparison(
        before=_summary([before for before, _ in pairs]),
        after=_summary([after for _, after in pairs]),
        speedup=_ratio(pairs),
        low=ratios[edge] / (1 + DRIFT),
        high=ratios[-1 - edge] * (1 + DRIFT),
        pairs=len(pairs),
    )


def _drawn(rounds: Sequence[Sequence[Pair]], draw: random.Random) -> list[Pair]:
    """Rounds drawn with replacement, and pairs within them."""
    return [pair for each in draw.choices(rounds, k=len(rounds)) for pair in draw.choices(each, k=len(each))]


def _ratio(pairs: Sequence[Pair]) -> float:
    after = median(after for _, after in pairs)
    return median(before for before, _ in pairs) / after if after else 1.0


def _summary(times: list[float]) -> Summary:
    ordered = sorted(times)
    quarter = len(ordered) // 4
    return Summary(median(ordered), ordered[quarter], ordered[-1 - quarter])
