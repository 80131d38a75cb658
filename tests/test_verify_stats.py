"""Statistics under a clock that ticks as it is told."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from torchperf_lint.verify import stats, verdict


class Clock:
    """Time that passes only when something takes it."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def program(self, seconds: Callable[[], float]) -> stats.Sample:
        def sample() -> float:
            taken = seconds()
            self.time += taken
            return taken

        return sample


def compared(before: Callable[[], float], after: Callable[[], float], seconds: float = 2.0) -> stats.Comparison:
    clock = Clock()
    return stats.summarise([stats.compare(lambda: (clock.program(before), clock.program(after)), clock.now, seconds)])


def noisy(seconds: float, share: float, seed: int) -> Callable[[], float]:
    draw = random.Random(seed)
    return lambda: seconds * (1 + share * (draw.random() - 0.5))


def judged(found: stats.Comparison) -> str:
    return verdict.of_times(found.speedup, found.low, found.high)


def test_speedup_is_the_ratio_of_medians_and_lies_in_its_interval() -> None:
    found = compared(noisy(0.010, 0.1, 1), noisy(0.005, 0.1, 2))
    assert found.speedup == pytest.approx(2, rel=0.03)
    assert found.low <= found.speedup <= found.high
    assert judged(found) == verdict.FASTER


def test_a_no_op_is_no_gain_however_the_noise_falls() -> None:
    verdicts = [judged(compared(noisy(0.01, 0.2, seed), noisy(0.01, 0.2, seed + 1000))) for seed in range(30)]
    assert verdicts == [verdict.NO_GAIN] * 30


def test_slower_is_slower() -> None:
    assert judged(compared(noisy(0.01, 0.1, 1), noisy(0.012, 0.1, 2))) == verdict.SLOWER


def test_two_percent_are_no_gain_though_the_interval_is_sure_of_them() -> None:
    found = compared(noisy(0.0102, 0.001, 1), noisy(0.01, 0.001, 2))
    assert found.low > 1.005
    assert judged(found) == verdict.NO_GAIN


def test_a_gain_drowned_in_noise_is_none() -> None:
    assert judged(compared(noisy(0.0105, 1.9, 3), noisy(0.01, 1.9, 4), seconds=0.1)) == verdict.NO_GAIN


def test_drift_that_meets_both_cancels() -> None:
    """A chip that slows down to half its speed while it measures."""
    clock = Clock()

    def drifting(seconds: float) -> stats.Sample:
        return clock.program(lambda: seconds * (1 + clock.time))

    found = stats.summarise([stats.compare(lambda: (drifting(0.0102), drifting(0.01)), clock.now, 1.0)])
    assert found.speedup == pytest.approx(1.02, abs=0.02)


def test_what_differs_between_rounds_or_processes_widens_the_interval() -> None:
    one, other = [(1.0, 1.0)] * 12, [(1.3, 1.0)] * 12
    same = stats.summarise([[one] * 4])
    assert (same.low, same.high) == (1 / (1 + stats.DRIFT), 1 + stats.DRIFT)
    for apart in ([[one, other, one, other]], [[one, one], [other, other]]):
        found = stats.summarise(apart)
        assert found.low < 1.0 < 1.3 < found.high


def test_it_stops_early_when_sure_and_in_time_when_not() -> None:
    clock = Clock()
    stats.compare(lambda: (clock.program(lambda: 1e-4), clock.program(lambda: 1e-4)), clock.now, 60.0)
    assert clock.time < 1
    clock = Clock()
    wild = noisy(0.01, 1.9, 5)
    stats.compare(lambda: (clock.program(wild), clock.program(wild)), clock.now, 1.0)
    assert clock.time < 2


def test_it_goes_on_where_the_next_run_might_say_otherwise() -> None:
    """The interval of 3 % is as narrow as that of none, but holds what parts a gain from none."""
    none = compared(noisy(0.0100, 0.02, 6), noisy(0.01, 0.02, 7), seconds=60.0)
    edge = compared(noisy(0.0103, 0.02, 6), noisy(0.01, 0.02, 7), seconds=60.0)
    assert none.pairs == stats.ROUNDS * stats.PAIRS
    assert edge.pairs == stats.MOST_ROUNDS * stats.PAIRS


def test_slow_programs_get_a_few_pairs_all_the_same() -> None:
    found = compared(lambda: 5.0, lambda: 4.0, seconds=1.0)
    assert found.pairs >= stats.FEWEST
    assert judged(found) == verdict.FASTER


def test_warm_up_goes_on_until_the_times_settle() -> None:
    clock = Clock()
    times = iter([1 / 2**n for n in range(12)] + [1e-4] * 100)
    taken: list[float] = []
    sample = clock.program(lambda: next(times))

    def counted() -> float:
        taken.append(sample())
        return taken[-1]

    stats.warm_up(counted, clock.now, until=100.0)
    assert taken[-stats.WARM :] == [1e-4] * stats.WARM
    assert len(taken) <= stats.MOST_WARM_UP


def test_pairs_take_turns() -> None:
    clock, order = Clock(), []

    def named(name: str) -> stats.Sample:
        def sample() -> float:
            order.append(name)
            clock.time += 0.01
            return 0.01

        return sample

    stats.compare(lambda: (named("b"), named("a")), clock.now, 1.0)
    assert order[-4:] in (list("baab"), list("abba"))
