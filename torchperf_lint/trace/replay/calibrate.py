"""What it cost the host to be observed, so that the replayed steps take what steps take unobserved.

Where launches are the bound, the measured step decides it. Where the GPU or waits are, many values fit as well, and yet a
step without its waits depends on them: then the usual cost is taken (measured on many programs), and what else fits gives
the interval. So does the other way to come to the measured step: the host was slower everywhere, whatever was recorded in it.
Where the profiler cost much, the two put the host at other places when a wait comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from torchperf_lint.trace.recording import Timing
from torchperf_lint.trace.replay.replay import Observing, Replay

USUAL: Final[tuple[float, ...]] = (6.0, 2.5)
"""Microseconds of an event that the profiler records, and their spread. Most are calls of the driver: 5 to 11 in seven programs."""
USUAL_OF_OPERATORS: Final[tuple[float, ...]] = (3.0, 1.5)
"""The same where operators of torch are events too: 3.2 to 4.3 in programs that are bound by launches."""
EVENTS: Final[tuple[float, ...]] = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 10.0, 12.0)
SLOWEST: Final = 4.0
UNSTEADY: Final = 1.5
"""So many times as quick or as slow as usual a host may have been while steps were timed."""
HALVINGS: Final = 9
LINES: Final[tuple[float, ...]] = (0.25, 0.0)
"""Microseconds of a sample of a line; none in a loop that runs until some time has passed."""
TOLERANCE: Final = 0.01
"""Of a step: measured steps are not known better."""
AS_GOOD: Final = 4.0
"""Of two scores with less between them, neither is to be preferred for sure: two spreads."""


@dataclass(frozen=True, slots=True)
class Fit:
    """What being observed may have cost, and what a step took unobserved: the replay of it takes as long, or as near as it comes."""

    observing: Observing
    ms: float


def calibrate(replay: Replay, timing: Timing) -> Sequence[Fit]:
    """The likeliest cost, the least and the most that fit about as well; the likeliest where a step took as little and as much as it
    may have; and the host that was slower everywhere."""
    scores = _scores(replay, timing)
    best = min(scores, key=lambda each: scores[each])
    good = [each for each in scores if scores[each] <= scores[best] + AS_GOOD]
    ranked = sorted(good, key=lambda each: (each.event_us, each.line_us))
    asked = (
        (best, timing.ms),
        (ranked[0], timing.ms),
        (ranked[-1], timing.ms),
        (best, timing.low),
        (best, timing.high),
    )
    fits = [Fit(_host(replay, each, ms, (1 / UNSTEADY, UNSTEADY)), ms) for each, ms in asked]
    return (*fits, Fit(_host(replay, Observing(0.0, 0.0), timing.ms, (1.0, SLOWEST)), timing.ms))


def likeliest(replay: Replay, timing: Timing) -> Observing:
    """What being observed has most likely cost, by the same measure."""
    scores = _scores(replay, timing)
    best = min(scores, key=lambda each: scores[each])
    return _host(replay, best, timing.ms, (1 / UNSTEADY, UNSTEADY))


def _scores(replay: Replay, timing: Timing) -> dict[Observing, float]:
    """For each cost how ill it fits: how far from what steps took, and how unusual it is. What is too unusual to be as good as
    another, however well it fits, is left out."""
    usual, spread = USUAL_OF_OPERATORS if replay.knows_operators else USUAL
    tolerance = max(TOLERANCE * timing.ms, (timing.high - timing.low) / 2, replay.error_ms)
    unusual = {Observing(event, line): ((event - usual) / spread) ** 2 for line in LINES for event in EVENTS}
    scores: dict[Observing, float] = {}
    for each in sorted(unusual, key=unusual.__getitem__):
        if scores and unusual[each] > min(scores.values()) + AS_GOOD:
            break
        scores[each] = ((replay.step_ms(each) - timing.ms) / tolerance) ** 2 + unusual[each]
    return {each: scores[each] for each in unusual if each in scores}


def _host(replay: Replay, observing: Observing, ms: float, bounds: tuple[float, float]) -> Observing:
    """The host that was slower everywhere by as much as makes the steps take so long, beside what being observed cost it."""
    least, most = bounds
    for _ in range(HALVINGS):
        middle = (least + most) / 2
        if replay.step_ms(replace(observing, slower=middle)) > ms:
            least = middle
        else:
            most = middle
    return replace(observing, slower=least)
