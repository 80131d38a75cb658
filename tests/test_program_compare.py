"""What times and results of runs come to, on numbers."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from torchperf_lint.report.terminal import Pen
from torchperf_lint.verify.program import table
from torchperf_lint.verify.program.changes import Change, Verdict
from torchperf_lint.verify.program.compare import (
    Ratio,
    Results,
    apart,
    difference,
    in_other_words,
    is_repeatable,
    ratio,
    verdict,
    widened,
)
from torchperf_lint.verify.program.measure import Measurement
from torchperf_lint.verify.program.runs import Run
from torchperf_lint.verify.program.search import Search, StoppedError
from torchperf_lint.verify.verdict import CANNOT_TELL, DIFFERENT, FASTER, NO_GAIN, NOT_MEASURED, SLOWER

LOSSES = tuple((step, 1.0 / (step + 1)) for step in range(8))
RESULTS = Results(LOSSES, ((3.0, 30.0), (4.0, 40.0)))


def pairs(speedup: float, noise: float, count: int, seed: int = 0) -> list[tuple[float, float]]:
    drawn = random.Random(seed)
    return [(10 * drawn.gauss(1, noise), 10 / speedup * drawn.gauss(1, noise)) for _ in range(count)]


def test_a_gain_is_found_and_its_interval_holds_it() -> None:
    found = ratio(pairs(1.2, 0.01, 8))
    assert found is not None
    assert found.low < 1.2 < found.high
    assert verdict(found) == FASTER
    assert verdict(ratio(pairs(0.9, 0.01, 8))) == SLOWER


def test_the_same_program_is_seldom_faster_than_itself() -> None:
    said = [verdict(ratio(pairs(1, 0.03, 6, seed))) for seed in range(400)]
    assert said.count(FASTER) + said.count(SLOWER) <= 40, "an interval of 95 % is wrong in 5 of 100"


@pytest.mark.parametrize("count", [6, 12, 24])
@pytest.mark.parametrize("tail", [0.0, 0.1])
def test_the_interval_holds_the_ratio_in_95_of_100(count: int, tail: float) -> None:
    """With processes that differ by 8 %, and some of them by three times that."""
    held = 0
    for seed in range(600):
        drawn = random.Random(f"{seed} {count}")
        runs = [10 * drawn.gauss(1, 0.24 if drawn.random() < tail else 0.08) for _ in range(2 * count)]
        found = ratio([(before, after / 1.1) for before, after in zip(runs[::2], runs[1::2], strict=True)])
        assert found is not None
        held += found.low <= 1.1 <= found.high
    assert 0.93 <= held / 600 <= 0.98


def test_one_pair_says_nothing() -> None:
    assert ratio(pairs(2, 0, 1)) is None
    assert verdict(None) == NOT_MEASURED


def test_no_gain_is_believed_that_the_original_shows_against_itself() -> None:
    found, itself = ratio(pairs(1.03, 0.001, 6)), ratio(pairs(1.05, 0.001, 3))
    assert found is not None
    assert verdict(found) == FASTER
    assert verdict(widened(found, itself)) == CANNOT_TELL


@pytest.mark.parametrize(
    ("low", "speedup", "high", "word", "both"),
    [
        (1.05, 1.14, 1.24, FASTER, FASTER),
        (0.97, 1.13, 1.31, CANNOT_TELL, CANNOT_TELL),
        (0.99, 1.01, 1.029, NO_GAIN, NO_GAIN),
        (1.005, 1.02, 1.04, CANNOT_TELL, CANNOT_TELL),
        (1.005, 1.01, 1.02, NO_GAIN, NO_GAIN),
        (0.8, 0.9, 1.02, NO_GAIN, CANNOT_TELL),
        (0.8, 0.9, 0.99, SLOWER, SLOWER),
        (0.98, 0.985, 0.99, NO_GAIN, NO_GAIN),
    ],
)
def test_no_gain_is_said_where_one_that_counts_is_ruled_out(
    low: float, speedup: float, high: float, word: str, both: str
) -> None:
    found = Ratio(speedup, low, high, 12)
    assert verdict(found) == word
    assert verdict(found, both=True) == both


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Ratio(1.0, 0.98, 1.02, 9), None),
        (Ratio(1.2, 1.1, 1.3, 9), None),
        (Ratio(1.015, 1.005, 1.025, 9), "it is faster, but by less than 3 %"),
        (Ratio(1.13, 0.97, 1.31, 12), "the runs differ too much; if it is 1.13x, some 19 pairs of runs tell (2 min)"),
        (Ratio(1.0, 0.93, 1.08, 20), "the runs differ too much; if it is 1.00x, some 128 pairs of runs tell (11 min)"),
        (Ratio(1.028, 0.9, 1.17, 6), "the runs differ too much"),
    ],
)  # fmt: skip
def test_what_would_tell_is_said(found: Ratio, said: str | None) -> None:
    assert in_other_words(verdict(found), found, 1.03, seconds=5.0) == said


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (RESULTS, None),
        (Results(LOSSES, ((3.002, 30.0), (4.0, 40.0))), None),
        (
            Results((*LOSSES[:3], (3, 0.26), *LOSSES[4:]), RESULTS.parameters),
            "the loss of step 3 is 0.26 instead of 0.25",
        ),
        (
            Results((*LOSSES[:3], (3, math.nan), *LOSSES[4:]), RESULTS.parameters),
            "the loss of step 3 is nan instead of 0.25",
        ),
        (Results(LOSSES, ((3.0, 30.0), (4.1, 40.0))), "parameter 2 of 2 is another after these steps"),
        (Results(LOSSES, ((3.0, 30.0),)), "1 parameters instead of 2"),
        (Results(LOSSES[:4], RESULTS.parameters), "4 backward passes in these steps instead of 8"),
    ],
)
def test_what_differs_is_named(changed: Results, said: str | None) -> None:
    assert difference(RESULTS, RESULTS, changed) == said


def test_what_the_program_does_by_itself_is_no_difference() -> None:
    again = Results(tuple((step, value * 1.001) for step, value in LOSSES), ((3.001, 30.0), (4.002, 40.0)))
    close = Results(tuple((step, value * 1.003) for step, value in LOSSES), ((3.002, 30.0), (4.006, 40.0)))
    far = Results(tuple((step, value * 1.1) for step, value in LOSSES), ((3.002, 30.0), (4.006, 40.0)))
    assert difference(RESULTS, again, close) is None
    assert difference(RESULTS, again, far) == "the loss of step 0 is 1.1 instead of 1"
    assert is_repeatable(RESULTS, again)
    assert not is_repeatable(RESULTS, far)


@pytest.mark.parametrize("seed", range(20))
def test_a_program_that_is_never_the_same_twice_differs_by_nothing(seed: int) -> None:
    """Each number is drawn anew in each run: some agree by chance, and that says nothing about the others."""
    drawn = random.Random(seed)

    def results() -> Results:
        losses = tuple((step, 5 + drawn.gauss(0, 0.1)) for step in range(24))
        return Results(losses, tuple((100 + drawn.gauss(0, 1), 200.0) for _ in range(24)))

    first, again, changed = results(), results(), results()
    assert difference(first, again, changed) is None
    wrong = Results(tuple((step, 2 * value) for step, value in changed.losses), changed.parameters)
    assert difference(first, again, wrong) is not None


def grown(share: float) -> Results:
    """What begins as the original does, and is the further from it the more steps there were."""
    return Results(tuple((step, value * (1 + share * step)) for step, value in LOSSES), RESULTS.parameters)


def test_what_rounding_makes_of_a_program_in_some_steps_is_no_difference() -> None:
    nudged = grown(1e-4)
    assert difference(RESULTS, nudged, grown(3e-4)) is None
    assert apart(RESULTS, grown(3e-4)) == pytest.approx(7 * 3e-4, rel=0.01), "said, though it is no difference"
    assert difference(RESULTS, RESULTS, grown(3e-4)) == "the loss of step 1 is 0.50015 instead of 0.5"


def test_a_difference_is_seen_before_rounding_has_grown_as_large() -> None:
    nudged = grown(1e-4)
    wrong = Results((LOSSES[0], (1, LOSSES[1][1] * 1.01), *LOSSES[2:]), RESULTS.parameters)
    late = Results((*LOSSES[:7], (7, LOSSES[7][1] * 1.005)), RESULTS.parameters)
    assert difference(RESULTS, nudged, wrong) == "the loss of step 1 is 0.505 instead of 0.5"
    assert difference(RESULTS, nudged, late) is None


class Bench:
    """Stands in for the program: what each fix gains, and which of them change results or break it."""

    def __init__(
        self, gains: dict[str, float], wrong: frozenset[str] = frozenset(), breaks: str = "", seconds: float = 5,
        noise: float = 0.003, heavy: float = 0.0, seed: int = 1,
    ) -> None:  # fmt: skip
        self.gains, self.wrong, self.breaks, self.seconds = gains, wrong, breaks, seconds
        self.noise, self.heavy = noise, heavy
        """How far runs are apart, and the share of them that are much slower."""
        self.clock, self.random = 0.0, random.Random(seed)
        self.runs = 0

    def _passed(self) -> float:
        self.clock += self.seconds
        self.runs += 1
        return self.seconds

    def timed(self, change: Change) -> Run:
        gain = math.prod(self.gains[fix] for fix in change)
        late = abs(self.random.gauss(0, 4 * self.noise)) if self.random.random() < self.heavy else 0.0
        return Run(self._passed(), 10.0 / gain * math.exp(self.random.gauss(0, self.noise) + late), 1000)

    def results(self, change: Change) -> Run:
        if self.breaks in change:
            return Run(self._passed(), problem="the program ended with exit code 1:\nboom")
        moved = 0.5 if self.wrong & set(change) else 0.0
        return Run(
            self._passed(), results=Results(tuple((step, value + moved) for step, value in LOSSES), ((1.0, 1.0),))
        )


def searched(bench: Bench, seconds: float = 100_000) -> Search:
    search = Search(
        bench.results, lambda: bench.results(()), bench.timed, lambda _: None, seconds=seconds, now=lambda: bench.clock
    )
    search.run(sorted(bench.gains))
    return search


def said(search: Search) -> dict[str, str]:
    return {fix: each.verdict for fix, each in search.by_fix().items()}


def test_the_one_that_pays_is_found_by_halves() -> None:
    gains = {"a": 1.0, "b": 1.0, "c": 1.2, "d": 1.0}
    assert said(searched(Bench(gains))) == {"a": NO_GAIN, "b": NO_GAIN, "c": FASTER, "d": NO_GAIN}


def test_where_nothing_pays_only_halves_are_asked() -> None:
    bench = Bench(dict.fromkeys("abcdefgh", 1.0))
    search = searched(bench)
    assert set(said(search).values()) == {NO_GAIN}
    assert len(search.verdicts) == 3, "all, as one may hide another, and each half"


def test_what_is_slower_is_found() -> None:
    assert said(searched(Bench({"a": 1.0, "b": 0.8}))) == {"a": NO_GAIN, "b": SLOWER}


def test_what_changes_results_is_found_and_left_out() -> None:
    gains = {"a": 1.1, "b": 1.3, "c": 1.0, "d": 1.0}
    search = searched(Bench(gains, frozenset("b")))
    assert said(search) == {"a": FASTER, "b": DIFFERENT, "c": NO_GAIN, "d": NO_GAIN}
    (different,) = [each for each in search.verdicts if each.verdict == DIFFERENT]
    assert different.reason == "the loss of step 0 is 1.5 instead of 1"
    assert all("b" not in each.change for each in search.verdicts if each.verdict != DIFFERENT)


def test_what_breaks_the_program_is_different() -> None:
    search = searched(Bench({"a": 1.0, "b": 1.3}, breaks="b"))
    assert search.by_fix()["b"].reason == "the program ended with exit code 1:\nboom"
    assert said(search)["a"] == NO_GAIN


def test_what_the_time_does_not_allow_is_not_measured() -> None:
    search = searched(Bench({"a": 1.2, "b": 1.2}, seconds=100), seconds=600)
    assert set(said(search).values()) == {NOT_MEASURED}
    assert search.verdicts[0].reason == (
        "--time was over after 1 pair of runs; the 6 that can tell something take some 1500 s"
    )
    enough = searched(Bench({"a": 1.2, "b": 1.2}, seconds=100), seconds=3000)
    assert enough.verdicts[0].verdict == FASTER


def test_a_program_that_fails_by_itself_cannot_be_measured() -> None:
    with pytest.raises(StoppedError, match="boom"):
        searched(_Broken({"a": 1.0}))


class _Broken(Bench):
    def results(self, _: Change) -> Run:
        return Run(1.0, problem="boom")


def test_two_runs_of_a_search_say_the_same_of_planted_gains() -> None:
    for seed in range(10):
        bench = Bench({"a": 1.0, "b": 1.25, "c": 1.0, "d": 0.8})
        bench.random = random.Random(seed)
        assert said(searched(bench)) == {"a": NO_GAIN, "b": FASTER, "c": NO_GAIN, "d": SLOWER}


def asked_for(bench: Bench, **more: object) -> list[Change]:
    """The sets of fixes that were timed, in order."""
    search = Search(
        bench.results,
        lambda: bench.results(()),
        bench.timed,
        lambda _: None,
        seconds=100_000,
        now=lambda: bench.clock,
        **more,
    )  # type: ignore[arg-type]
    search.run(sorted(bench.gains))
    return [each.change for each in search.verdicts]


def test_what_a_trace_expects_most_of_is_asked_first() -> None:
    bench = Bench({"a": 1.0, "b": 1.1, "c": 1.0, "d": 1.3})
    assert asked_for(bench, gains={"d": 0.3, "b": 0.1}) == [
        ("a", "b", "c", "d"), ("d",), ("a", "b", "c"), ("b",), ("a", "c"),
    ]  # fmt: skip


def test_a_trace_that_expects_nothing_leaves_halves() -> None:
    assert asked_for(Bench({"a": 1.0, "b": 1.0, "c": 1.3, "d": 1.0}))[1:3] == [("a", "b"), ("c", "d")]


def test_what_the_time_did_not_allow_takes_nothing_away() -> None:
    """All together were measured; when the time is over, that verdict is still the one of each."""
    bench = Bench({"a": 1.2, "b": 1.2}, seconds=10)
    search = searched(bench, seconds=30 + 6 * 20 + 1)
    assert [each.verdict for each in search.verdicts] == [FASTER, NOT_MEASURED, NOT_MEASURED]
    assert said(search) == {"a": FASTER, "b": FASTER}


def test_all_together_get_most_of_a_time_that_is_short() -> None:
    """Parts that gain less are told apart from nothing by more pairs still."""
    search = searched(Bench({"a": 1.3, "b": 1.0}, noise=0.1, seconds=2), seconds=120)
    whole = search.verdicts[0]
    assert whole.verdict == FASTER
    assert whole.ratio is not None
    assert whole.ratio.pairs == 21, "four seconds each in three quarters of what three runs leave of 120"


def test_all_together_get_all_of_it_where_nothing_can_be_told_before() -> None:
    search = searched(Bench({"a": 1.05, "b": 1.0}, noise=0.1, seconds=2), seconds=120)
    (whole,) = search.verdicts
    assert whole.verdict == CANNOT_TELL
    assert whole.ratio is not None
    assert whole.ratio.pairs == 28, "of parts less can be told"


@pytest.mark.parametrize("gain", [1.0, 1.05, 1.13])
@pytest.mark.parametrize("noise", [0.005, 0.03, 0.13])
def test_two_searches_of_two_minutes_do_not_say_opposite_things(gain: float, noise: float) -> None:
    """`faster` of one that is not, and `no gain` of one that is, are as seldom as an interval is wrong."""
    count = 200
    words = [
        searched(Bench({"a": gain}, noise=noise, seconds=2.5, seed=seed), seconds=120).verdicts[0].verdict
        for seed in range(count)
    ]
    assert min(words.count(FASTER), words.count(NO_GAIN)) <= 0.05 * count
    assert words.count(SLOWER) <= 0.04 * count


@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.005, 0.015, 0.08])
@pytest.mark.parametrize("seconds", [60, 600])
def test_an_interval_holds_what_is_true_however_the_search_ends(noise: float, seconds: int) -> None:
    """It ends when the interval is narrow, after so many pairs or with the time, and looks after each pair."""
    held, sure, count = 0, 0, 400
    for seed in range(count):
        search = searched(Bench({"a": 1.0}, noise=noise, seconds=3, seed=seed, heavy=0.1), seconds)
        (found,) = search.verdicts
        assert found.ratio is not None
        held += found.ratio.low <= 1.0 <= found.ratio.high
        sure += found.verdict == FASTER
    assert held >= 0.92 * count
    assert sure <= 0.04 * count


def test_what_was_measured_before_an_interrupt_is_kept() -> None:
    class Interrupted(Bench):
        def timed(self, change: Change) -> Run:
            if self.runs == 11:
                raise KeyboardInterrupt
            return super().timed(change)

    bench = Interrupted({"a": 1.2})
    told: list[str] = []
    search = Search(
        bench.results, lambda: bench.results(()), bench.timed, lambda _: None, lambda each: told.append(each.verdict)
    )
    with pytest.raises(KeyboardInterrupt):
        search.run(["a"])
    (kept,) = search.verdicts
    assert told == [kept.verdict] == [NOT_MEASURED]
    assert kept.ratio is not None
    assert kept.ratio.pairs == 4
    assert kept.ratio.speedup == pytest.approx(1.2, rel=0.02)
    assert kept.reason is not None
    assert kept.reason.startswith("it was interrupted after 4 pairs of runs")


def test_the_original_is_held_against_itself_without_runs_of_its_own() -> None:
    bench = Bench({"a": 1.2})
    search = searched(bench)
    assert search.itself is not None
    assert search.itself.speedup == pytest.approx(1, abs=0.02)
    assert bench.runs == 3 + 2 * search.itself.pairs * 2, "three for results, and two a pair"


def test_what_is_meant_to_change_results_does_not_hide_what_the_others_do() -> None:
    bench = Bench(dict.fromkeys("abcd", 1.0) | {"a": 1.3}, frozenset("c"))
    search = Search(
        bench.results, lambda: bench.results(()), bench.timed, lambda _: None, meant={"c": "as it should"},
        seconds=100_000, now=lambda: bench.clock,
    )  # fmt: skip
    search.run(sorted(bench.gains))
    first, different = search.verdicts[:2]
    assert first.change == ("a", "b", "d")
    assert first.verdict == FASTER
    assert different.reason == "the loss of step 0 is 1.5 instead of 1 (as it should)"
    assert said(search)["a"] == FASTER


def test_what_is_meant_to_change_results_may_change_nothing_that_shows() -> None:
    bench = Bench({"a": 1.0, "c": 1.3})
    search = Search(
        bench.results, lambda: bench.results(()), bench.timed, lambda _: None, meant={"c": "as it should"},
        seconds=100_000, now=lambda: bench.clock,
    )  # fmt: skip
    search.run(["a", "c"])
    assert said(search) == {"a": NO_GAIN, "c": FASTER}


def test_what_changes_results_only_beside_the_rest_is_left_out_where_it_is_meant_to() -> None:
    class Beside(Bench):
        def results(self, change: Change) -> Run:
            found = super().results(change)
            moved = 0.5 if {"a", "c"} <= set(change) else 0.0
            return replace(
                found, results=Results(tuple((step, value + moved) for step, value in LOSSES), ((1.0, 1.0),))
            )

    bench = Beside({"a": 1.2, "c": 1.3})
    search = Search(
        bench.results, lambda: bench.results(()), bench.timed, lambda _: None, meant={"c": "as it should"},
        seconds=100_000, now=lambda: bench.clock,
    )  # fmt: skip
    search.run(["a", "c"])
    assert said(search) == {"a": FASTER, "c": DIFFERENT}


def test_one_that_changes_results_costs_a_run_for_each_half() -> None:
    bench = Bench(dict.fromkeys("abcdefgh", 1.0), frozenset("c"))
    search = searched(bench, seconds=0)
    assert bench.runs == 2 + 1 + 4 + 1, "the original twice, all, abcd, ab, cd, c, and the seven that are left"
    assert [each.change for each in search.verdicts if each.verdict == DIFFERENT] == [("c",)]


def test_what_differs_only_together_is_left_out_together() -> None:
    class Together(Bench):
        def results(self, change: Change) -> Run:
            found = super().results(change)
            moved = 0.5 if {"a", "b"} <= set(change) else 0.0
            losses = tuple((step, value + moved) for step, value in found.results.losses)
            return replace(found, results=replace(found.results, losses=losses))

    search = searched(Together({"a": 1.0, "b": 1.0}))
    (different,) = [each for each in search.verdicts if each.verdict == DIFFERENT]
    assert different.change == ("b",)
    assert different.reason == "together with the others: the loss of step 0 is 1.5 instead of 1"
    assert said(search)["a"] == NO_GAIN


def test_runs_whose_results_were_compared_are_the_first_pair() -> None:
    class Timed(Bench):
        def results(self, change: Change) -> Run:
            found = super().results(change)
            return replace(found, ms=self.random.gauss(10, 0.03) / math.prod(self.gains[fix] for fix in change))

    bench = Timed({"a": 1.2})
    (verdict,) = searched(bench).verdicts
    assert verdict.verdict == FASTER
    assert verdict.ratio is not None
    assert bench.runs == 1 + 2 * verdict.ratio.pairs, "but for the first run of the original, all are halves of pairs"

    bench = Timed({"a": 1.2, "b": 1.0}, frozenset("b"))
    verdicts = [each for each in searched(bench).verdicts if each.verdict != DIFFERENT]
    assert [each.change for each in verdicts] == [("a",)]
    assert bench.runs == 1 + 2 + 2 * sum(each.ratio.pairs for each in verdicts if each.ratio), "both, and the wrong one"


def test_verdicts_stand_below_each_other() -> None:
    ratio = Ratio(1.1, 1.05, 1.15, 6)
    verdicts = [
        Verdict(("TPL605 a.py:1",), FASTER, None, ratio, (11.0, 2_000_000), (10.0, 1_000)),
        Verdict(("TPL201 a.py:2",), DIFFERENT, "it ended:\nboom"),
    ]
    shown = table.render(Measurement(("python", "train.py"), verdicts), {}, Pen(color=False)).splitlines()
    first = next(number for number, line in enumerate(shown) if line.startswith("fixes"))
    at = shown[first].index("verdict")
    assert [line[at:] for line in shown[first : first + 3]] == ["verdict", FASTER, DIFFERENT]
    assert shown[-2:] == ["TPL201 a.py:2: different: it ended:", "  | boom"]
