"""The replay on steps whose times can be worked out by hand, and on recorded ones that were measured without their waits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from traces import Making, recorded, serial

from torchperf_lint.trace.analysis import analyse
from torchperf_lint.trace.predict import CANNOT_TELL, LEAST, NO_GAIN, PAYS, Predictor
from torchperf_lint.trace.recording import Kind, Timing, Trace
from torchperf_lint.trace.replay.calibrate import calibrate
from torchperf_lint.trace.replay.replay import Observing, Removable, Replay

NOTHING = Observing(0.0, 0.0)


def waits(trace: Trace) -> Removable:
    return Removable(tuple(index for index, call in enumerate(trace.calls) if call.kind != Kind.LAUNCH))


def test_a_step_takes_what_it_took() -> None:
    assert Replay(serial().trace()).step_ms(NOTHING) == pytest.approx(1.505, abs=0.01)


def test_without_its_wait_the_gpu_is_the_bound() -> None:
    trace = serial().trace()
    assert Replay(trace).step_ms(NOTHING, waits(trace)) == pytest.approx(1.0, abs=0.01)


def test_what_the_gpu_still_did_when_the_first_step_began_is_no_latency() -> None:
    """A program that is bound by the GPU, and waits for it once: it is the same one, however far the host was ahead at first."""

    def step_ms(behind: float) -> float:
        made = Making()
        for each in range(70):
            if each % 10 == 0:
                made.step(100.0 * each)
            made.launch(100.0 * (each // 10 * 10) + 20 * (each % 10) + 1, behind + 6 + 100 * each, 100)
        done = behind + 7006
        made.wait(6200, done + 5 - 6200)
        made.launch(done + 100, done + 105, 100)
        made.step(done + 205)
        made.launch(done + 205, done + 210, 1000)
        made.step(done + 1205)
        return Replay(made.trace()).step_ms(NOTHING)

    assert step_ms(400) == pytest.approx(step_ms(0))


def test_a_wait_of_an_idle_gpu_gains_nothing() -> None:
    made = Making()
    for each in range(8):
        made.step(1000.0 * each)
        made.launch(1000.0 * each, 1000.0 * each + 5, 50)
        made.wait(1000.0 * each + 500, 5)
    made.step(8000.0)
    trace = made.trace(1.0)
    gain = Predictor(trace).gain(waits(trace))
    assert gain.ms == pytest.approx(0.005, abs=0.001)
    assert gain.verdict == NO_GAIN


def test_of_two_waits_the_second_waits_instead() -> None:
    made = Making()
    for each in range(8):
        at = 2000.0 * each
        made.step(at)
        made.launch(at, at + 5, 1000)
        made.wait(at + 10, 1000)
        made.wait(at + 1020, 5)
        made.launch(at + 1500, at + 1505, 10)
    made.step(16000.0)
    trace = made.trace()
    replay = Replay(trace)
    first = Removable(tuple(range(1, len(trace.calls), 4)))
    both = waits(trace)
    base = replay.step_ms(NOTHING)
    assert base - replay.step_ms(NOTHING, first) == pytest.approx(0, abs=0.02)
    assert base - replay.step_ms(NOTHING, both) > 0.8


def test_work_of_another_stream_is_waited_for_where_it_was() -> None:
    made = Making()
    for each in range(8):
        at = 1000.0 * each
        made.step(at)
        made.launch(at, at + 5, 600, stream=7)
        made.launch(at + 10, at + 605, 200, stream=20)
        made.wait(at + 20, 790)
    made.step(8000.0)
    trace = made.trace()
    assert Replay(trace).step_ms(NOTHING, waits(trace)) == pytest.approx(0.6, abs=0.25)


def test_a_loader_that_is_skipped_leaves_its_time() -> None:
    made = Making()
    for each in range(8):
        at = 1000.0 * each
        made.step(at)
        made.load(at + 10, 700)
        made.launch(at + 800, at + 805, 100)
    made.step(8000.0)
    assert Replay(made.trace()).step_ms(NOTHING, Removable(spans=tuple(range(8)))) == pytest.approx(0.3, abs=0.01)


def test_all_that_a_loader_does_between_two_calls_is_gone_without_it() -> None:
    """The end of an epoch, the start of its workers and the first batch follow each other, with no call between them."""
    made = Making()
    for each in range(8):
        at = 1000.0 * each
        made.step(at)
        made.load(at + 10, 300)
        made.load(at + 320, 400)
        made.launch(at + 800, at + 805, 100)
    made.step(8000.0)
    assert Replay(made.trace()).step_ms(NOTHING, Removable(spans=tuple(range(16)))) == pytest.approx(0.3, abs=0.01)


def test_a_copy_that_nobody_waits_for_is_one_from_pinned_memory() -> None:
    """It takes the GPU 0.1 ms and not 0.6: 2 MB at 20 GB a second."""
    made = Making()
    for each in range(8):
        at = 1000.0 * each
        made.step(at)
        made.launch(at, at + 5, 600)
        made.launch(at + 610, at + 615, 385)
    made.calls = [
        replace(each, kind=Kind.COPY, time=605.0) if not at % 2 else each for at, each in enumerate(made.calls)
    ]
    made.works = [replace(each, bytes=2_000_000) if not at % 2 else each for at, each in enumerate(made.works)]
    made.step(8000.0)
    trace = made.trace()
    assert Replay(trace).step_ms(NOTHING) == pytest.approx(1.0, abs=0.01)
    assert Replay(trace).step_ms(NOTHING, waits(trace)) == pytest.approx(0.49, abs=0.02)


def test_who_pins_a_batch_is_not_known() -> None:
    """In a copy from pageable memory the driver copies to pinned memory first. A loader may do that instead, or the step itself has to."""
    made = Making()
    made.names += ["Memcpy HtoD (Pageable -> Device)"]
    for each in range(8):
        made.step(1000.0 * each)
        made.launch(1000.0 * each, 1000.0 * each + 5, 600)
        made.launch(1000.0 * each + 610, 1000.0 * each + 615, 385)
    made.calls = [
        replace(each, kind=Kind.COPY, time=605.0) if not at % 2 else each for at, each in enumerate(made.calls)
    ]
    made.works = [replace(each, bytes=2_000_000, name=4) if not at % 2 else each for at, each in enumerate(made.works)]
    made.step(8000.0)
    trace = made.trace(1.0)
    gain = Predictor(trace).gain(waits(trace))
    assert gain.ms == pytest.approx(0.5, abs=0.02)
    assert gain.low < LEAST < gain.high
    assert gain.verdict == CANNOT_TELL


def test_where_the_replay_takes_longer_than_a_step_did_no_more_is_gained_than_is_left_to_gain() -> None:
    """Without the wait a step takes 1 ms, and with it 1.25: the wait can have cost no more than that, however long it seems."""
    trace = serial().trace(1.25)
    predictor = Predictor(trace)
    assert Replay(trace).step_ms(predictor.fits[0].observing) > 1.3
    gain = predictor.gain(waits(trace))
    assert gain.low < 0.25 < gain.high
    assert gain.ms < 0.3


def test_work_that_was_queued_in_time_begins_as_long_after_the_last_as_it_did() -> None:
    made = Making()
    for each in range(8):
        made.step(1020.0 * each)
        for launch in range(10):
            made.launch(1020.0 * each + 5 * launch, 1020.0 * each + 5 + 102 * launch, 100)
        made.wait(1020.0 * each + 60, 950)
    made.step(8160.0)
    trace = made.trace()
    assert Replay(trace).step_ms(NOTHING, waits(trace)) == pytest.approx(1.02, abs=0.001), (
        "ten kernels, and 2 us between them"
    )


def test_launches_that_are_gone_take_what_the_host_did_for_them() -> None:
    trace = serial(waits=[False] * 8).trace()
    everything = Removable(launches=tuple(range(len(trace.calls))))
    assert Replay(trace).step_ms(NOTHING, everything) < 0.25


def test_the_cost_of_being_observed_is_found_where_launches_are_the_bound() -> None:
    made = Making()
    for each in range(8):
        at = 1000.0 * each
        made.step(at)
        for launch in range(10):
            made.launch(at + 100 * launch, at + 100 * launch + 5, 10, events=10)
    made.step(8000.0)
    fits = calibrate(Replay(made.trace()), Timing(20, 0.6, 0.6, 0.6))
    best, least, most = (each.observing for each in fits[:3])
    assert best.event_us == pytest.approx(4.0)
    assert least.event_us <= best.event_us <= most.event_us


def test_where_steps_were_not_steady_the_interval_is_wider() -> None:
    """The GPU is the bound without the wait, so the gain is what the step before took more than that: as much as it is known."""
    made = serial()
    steady = Predictor(replace(made.trace(), timing=Timing(20, 1.505, 1.505, 1.505))).gain(waits(made.trace()))
    unsteady = Predictor(replace(made.trace(), timing=Timing(20, 1.505, 1.4, 1.6))).gain(waits(made.trace()))
    wandering = Predictor(replace(made.trace(), timing=Timing(20, 1.505, 1.505, 1.505, wander=0.1))).gain(
        waits(made.trace())
    )
    assert unsteady.low == pytest.approx(steady.low - 0.105, abs=0.03)
    assert unsteady.high == pytest.approx(steady.high + 0.095, abs=0.03)
    assert wandering.low < steady.low < steady.high < wandering.high, "by a part of what the GPU idles for"
    assert wandering.ms == pytest.approx(steady.ms)


def test_a_step_in_which_the_host_was_held_up_does_not_count() -> None:
    made = serial(16)
    held = range(12 * 11, len(made.calls))
    made.calls = [replace(each, start=each.start + 4000) if at in held else each for at, each in enumerate(made.calls)]
    made.works = [replace(each, start=each.start + 4000) if each.call in held else each for each in made.works]
    made.starts = [each + 4000 * (number > 12) for number, each in enumerate(made.starts)]
    trace = made.trace(1.505)
    assert trace.usual(0) == [*range(12), *range(13, 16)]
    assert trace.profiled_ms == pytest.approx(1.505, abs=0.001)
    assert Replay(trace).step_ms(NOTHING) == pytest.approx(1.505, abs=0.01)


def test_an_event_of_the_driver_costs_more_than_an_operator_does() -> None:
    """Where many costs fit as well, the usual one is taken: of a trace that knows operators another one."""
    made = serial()
    best = calibrate(Replay(made.trace()), Timing(20, 1.505, 1.505, 1.505))[0].observing
    made.names.append("aten::mm")
    of_operators = calibrate(Replay(made.trace()), Timing(20, 1.505, 1.505, 1.505))[0].observing
    assert (best.event_us, of_operators.event_us) == (6.0, 3.0)


def test_a_program_that_the_profiler_slowed_much_is_not_known_as_well() -> None:
    """Where most of the host's time is the profiler's, it matters in what part of it: both ways are in the interval."""
    made = Making()
    for each in range(8):
        at = 2000.0 * each
        made.step(at)
        for launch in range(10):
            made.launch(at + 100 * launch, at + 100 * launch + 5, 70, events=20)
        made.wait(at + 1000, 5)
    made.step(16000.0)
    trace = made.trace(1.63)
    slowed = [each.observing for each in Predictor(trace).fits]
    assert slowed[-1].event_us == 0
    assert Replay(trace).step_ms(slowed[-1]) == pytest.approx(1.63, rel=0.01)
    gain = Predictor(trace).gain(waits(trace))
    alone = [Replay(trace).step_ms(each) - Replay(trace).step_ms(each, waits(trace)) for each in slowed]
    assert gain.low < min(alone) < max(alone) < gain.high
    assert max(alone) - min(alone) > 0.2


def test_what_stands_in_for_a_wait_costs_a_launch() -> None:
    trace = serial().trace(1.5)
    predictor = Predictor(trace)
    gain = predictor.gain(waits(trace))
    launch = Replay(trace).launch_us(predictor.fits[0].observing)
    doubt = max(0.015, 0.2 * gain.ms)
    assert launch > 10
    assert gain.low == pytest.approx(gain.ms - doubt - launch / 1e3, abs=0.02)


def test_of_steps_that_come_in_rounds_whole_rounds_count() -> None:
    made = Making()
    at = 0.0
    for each in range(8):
        made.step(at)
        made.launch(at, at + 5, 100)
        at += 5000.0 if each % 4 == 3 else 1000.0
    made.step(at)
    replay = Replay(replace(made.trace(), timing=Timing(20, 2.0, 2.0, 2.0, 4)))
    assert replay.step_ms(NOTHING) == pytest.approx(2.0, abs=0.01)


def test_a_round_that_was_not_seen_is_told() -> None:
    predictor = Predictor(replace(serial().trace(), timing=Timing(48, 1.5, 1.5, 1.5, 16)))
    assert predictor.trouble == "its steps repeat after 16, of which 8 were profiled"


def test_where_nothing_was_timed_nothing_is_told() -> None:
    predictor = Predictor(serial().trace())
    assert predictor.gain(Removable()).verdict == CANNOT_TELL
    assert "without the profiler" in predictor.trouble


def test_where_the_replay_is_far_off_nothing_is_told() -> None:
    predictor = Predictor(serial().trace(9.0))
    assert "the replay takes" in predictor.trouble
    assert predictor.gain(Removable()).verdict == CANNOT_TELL
    assert predictor.predicted({}).everything.verdict == CANNOT_TELL


def test_the_recorded_program_gains_what_it_gained_by_hand() -> None:
    """Without its five waits, by hand, the step of this program went from 13.50 to 8.92 ms."""
    everything = analyse(recorded("waits")).predicted.everything
    assert everything.verdict == PAYS
    assert everything.ms == pytest.approx(13.50 - 8.92, rel=0.1)
    assert everything.low < everything.ms < everything.high


def test_a_program_that_is_bound_by_launches_gains_nothing() -> None:
    predicted = analyse(recorded("gan")).predicted
    assert predicted.everything.verdict == NO_GAIN
    assert {gain.verdict for gain in predicted.gains.values()} == {NO_GAIN}


def test_a_program_that_is_bound_by_its_loader_gains_by_that_alone() -> None:
    analysis = analyse(recorded("loader"))
    verdicts = {analysis.trace.place(line): gain.verdict for line, gain in analysis.predicted.gains.items()}
    assert verdicts["loader.py", 26] == PAYS
    assert [place for place, verdict in verdicts.items() if verdict == PAYS] == [("loader.py", 26)]


def test_gains_are_ranked_and_add_up_to_that_of_all() -> None:
    predicted = analyse(recorded("waits")).predicted
    alone = [gain.ms for gain in predicted.gains.values()]
    assert alone == sorted(alone, reverse=True)
    assert sum(gain.after_ms for gain in predicted.gains.values()) == pytest.approx(predicted.everything.ms)


def test_no_step_takes_less_than_its_loader_needs_for_a_batch() -> None:
    made = serial()
    made.load(1000.0, 5.0)
    trace = made.trace(1.505)
    free = Predictor(trace).gain(waits(trace))
    bound = Predictor(replace(trace, timing=Timing(20, 1.505, 1.505, 1.505, loading=1.45))).gain(waits(trace))
    assert free.ms == pytest.approx(0.5, abs=0.02)
    assert free.verdict == PAYS
    assert bound.ms == pytest.approx(0.055, abs=0.001)
    assert bound.high < 0.2
    assert bound.verdict == CANNOT_TELL
    both = Removable(waits(trace).waits, spans=(0,))
    assert Predictor(replace(trace, timing=Timing(20, 1.505, 1.505, 1.505, loading=1.45))).gain(both).ms > 0.4
