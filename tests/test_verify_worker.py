"""The process that measures, with real tensors: wrong, slower, the same; its limits, and what it leaves behind."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import forked
import pytest

torch = pytest.importorskip("torch")

from torchperf_lint.model.finding import Safety  # noqa: E402
from torchperf_lint.verify import child, gpu, session, switches, verdict, worker  # noqa: E402
from torchperf_lint.verify.plan import Plan, Programs  # noqa: E402

MODULE = "torchperf_lint.verify.benches.memory.concat_in_loop"
SETTINGS = {"turns": 40, "rows": 64, "columns": 64}


@pytest.fixture(autouse=True)
def _one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads that wait for each other on a busy machine take any time."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


HEAD = "import torch\n\n\ndef run(parts, turns, device):\n"
BEFORE = HEAD + "    return torch.cat([part.sin() for part in parts])\n"
SAME = HEAD + "    return torch.cat(list(map(torch.sin, parts)))\n"
WRONG = HEAD + "    return torch.cat([part.sin() * 1.001 for part in parts])\n"
SLOWER = HEAD + "    for _ in range(60):\n        found = torch.cat([part.sin() for part in parts])\n    return found\n"


def request(before: str, after: str, **more: Any) -> dict[str, Any]:
    return {
        "module": MODULE, "before": before, "after": after, "exact": False, "settings": SETTINGS, "device": "cpu",
        "host_work": [0.0], "seconds": 2.0, "only_times": False, **more,
    }  # fmt: skip


def judged(answer: dict[str, Any], before: str, after: str) -> verdict.Measured:
    plan = Plan("concat-in-loop", "TPL502", MODULE, tuple(SETTINGS.items()), (), Programs(before, after, Safety.UNSAFE))
    return verdict.of(plan, session.pooled([answer]), 0.0)


Judge = Callable[..., verdict.Measured]


@pytest.fixture
def forked_judge(tmp_path: Path) -> Judge:
    """The verdict on two programs."""
    if sys.platform == "win32":
        pytest.skip("nothing forks there")
    return lambda before, after, **more: judged(forked.ask(request(before, after, **more), tmp_path), before, after)


@pytest.mark.slow
def test_a_wrong_fix_is_different_and_says_by_how_much(forked_judge: Judge) -> None:
    found = forked_judge(SLOWER, WRONG, seconds=0.5)
    assert (found.verdict, found.confirmed) == (verdict.DIFFERENT, False)
    assert "off by up to 0.00" in (found.reason or "")
    assert 0.0005 < found.result["parity"]["difference"] < 0.0015
    assert found.clock is not None
    assert found.clock["speedup"] > 1.03, "faster, and different all the same"


@pytest.mark.slow
def test_a_no_op_is_no_gain(forked_judge: Judge) -> None:
    assert forked_judge(BEFORE, SAME).verdict == verdict.NO_GAIN


@pytest.mark.slow
def test_a_slower_fix_is_slower(forked_judge: Judge) -> None:
    assert forked_judge(BEFORE, SLOWER, seconds=0.5).verdict == verdict.SLOWER


@pytest.mark.slow
def test_a_faster_fix_is_faster(forked_judge: Judge) -> None:
    found = forked_judge(SLOWER, BEFORE, seconds=0.5)
    assert found.verdict == verdict.FASTER
    assert found.confirmed


@pytest.mark.slow
def test_a_program_that_breaks_is_not_measured(forked_judge: Judge) -> None:
    broken = HEAD + "    raise ValueError('no')\n"
    found = forked_judge(broken, broken)
    assert found.words == "not measured: the bench raises ValueError"
    assert forked_judge("import nowhere\n", BEFORE).words.startswith("not measured: ModuleNotFoundError")


@pytest.mark.slow
def test_what_a_program_prints_is_none_of_the_answer() -> None:
    noisy = BEFORE.replace("    return", "    print('{\"result\": {}}', flush=True)\n    return")
    assert "parity" in child.ask(request(noisy, SAME, seconds=0.1), 120)


@pytest.mark.slow
def test_time_is_limited() -> None:
    start = time.monotonic()
    found = child.ask(request(HEAD + "    while True: pass\n", BEFORE), 8)
    assert found["failed"].startswith("took longer than 8 s")
    assert time.monotonic() - start < 60


@pytest.mark.slow
def test_a_process_that_dies_says_how() -> None:
    found = child.ask(request(HEAD + "    import os\n    os.kill(os.getpid(), 9)\n", BEFORE), 120)
    assert found == {"failed": "the process was ended by SIGKILL"}


@pytest.mark.slow
def test_memory_that_runs_out_is_told() -> None:
    hungry = HEAD + "    return torch.empty(1 << 60)\n"
    assert child.ask(request(hungry, hungry), 120).get("out_of_memory") or "RuntimeError" in str(
        judged(child.ask(request(hungry, hungry), 120), hungry, hungry)
    )


@pytest.mark.slow
def test_an_interrupt_ends_the_child(tmp_path: Path) -> None:
    """What is interrupted while a program runs leaves no process."""
    note = tmp_path / "pid"
    text = (
        HEAD
        + f"    import os, pathlib\n    pathlib.Path({str(note)!r}).write_text(str(os.getpid()))\n    while True: pass\n"
    )

    def interrupt(_: str) -> None:
        until = time.monotonic() + 60
        while not (note.exists() and note.read_text()) and time.monotonic() < until:
            time.sleep(0.05)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        child.ask(request(text, text), 120, interrupt)
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text()), 0)


@pytest.mark.slow
def test_modules_of_the_working_folder_are_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("json", "queue", "torch", "statistics", "platform"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the linted code was imported')\n")
    monkeypatch.chdir(tmp_path)
    assert "parity" in child.ask(request(BEFORE, SAME, seconds=0.1), 120)


@pytest.mark.slow
def test_a_program_may_have_processes_of_its_own() -> None:
    """They are forked from a process that has a thread waiting for its input."""
    loading = (
        HEAD
        + """
    from torch.utils.data import DataLoader, TensorDataset
    loader = DataLoader(TensorDataset(torch.stack(parts)), num_workers=1, multiprocessing_context="fork")
    return [x for (x,) in loader]
"""
    )
    found = judged(child.ask(request(loading, loading, seconds=0.1), 120), loading, loading)
    assert found.verdict != verdict.NOT_MEASURED


SWITCHES = """
import torch


def run(parts, turns, device):
    torch.autograd.set_detect_anomaly(True)
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.deterministic = True
    torch.set_float32_matmul_precision("high")
    torch.set_default_dtype(torch.float64)
    torch.set_grad_enabled(False)
    torch.use_deterministic_algorithms(True)
    return parts[0]
"""


def test_what_a_program_switches_is_switched_back() -> None:
    before = [read() for read, _ in switches.switches()]
    subject = worker.Subject("before", SWITCHES, worker.bench_of(MODULE), SETTINGS, torch.device("cpu"))
    subject.run(*subject.arrange(SETTINGS))
    assert [read() for read, _ in switches.switches()] == before


def test_only_benches_run() -> None:
    with pytest.raises(ValueError, match="is no bench"):
        worker.bench_of("os.path")


def test_small_settings_are_small_and_reach_the_least() -> None:
    small, extremes = worker.small(worker.bench_of(MODULE), {"turns": 5000, "rows": 3, "columns": 9999})
    assert small == {"turns": 6, "rows": 3, "columns": 4}
    assert extremes == {"turns": (1,), "rows": (0, 1), "columns": (1,)}


def test_busy_time_counts_what_overlaps_once() -> None:
    assert gpu.covered([(0, 10), (5, 12), (5, 6), (20, 30)]) == 22


def test_the_device_says_what_it_is() -> None:
    about = worker.about("cpu")
    assert about["device"] == "cpu"
    assert about["torch"] == torch.__version__
    if not torch.cuda.is_available():
        assert worker.about("cuda")["device"] is None
        assert worker.about("auto")["device"] == "cpu"


# ---- a session, with answers made up


def result(speedup: float = 2.0, **more: Any) -> dict[str, Any]:
    rounds = [[(0.002 * speedup, 0.002)] * 20] * 3
    works = more.pop("works", [0.0])
    parity = {"same": True, "difference": 0.0, "reason": None, "skipped": {}, "compared": 11, "broken": None}
    return {
        "parity": parity,
        "clocks": [{"clock": "host", "host_work_ms": work, "rounds": rounds} for work in works],
        "waits_before": 1.0,
        "waits_after": 0.0,
        "peak_before": 9,
        "peak_after": 8,
    } | more


class Answers:
    """Stands in for the processes; a plan's second one says what its first one did, unless there is more to say."""

    def __init__(self, *answers: dict[str, Any], device: str | None = "cuda:0") -> None:
        about = {"name": "Some GPU", "torch": "2.9", "device": device, "reason": "none there", "mps": False}
        self.answers = iter((about, *answers))
        self.asked: list[dict[str, Any]] = []
        self.last: dict[str, Any] = {}

    def __call__(self, request: dict[str, Any], *_: Any) -> dict[str, Any]:
        self.asked.append(request)
        self.last = next(self.answers, self.last)
        return self.last


def a_plan(module: str = MODULE, **settings: int) -> Plan:
    made = tuple({**SETTINGS, **settings}.items())
    return Plan("concat-in-loop", "TPL502", module, made, (), Programs("before", "after", Safety.UNSAFE))


def measured(answers: Answers, plan: Plan, options: session.Options | None = None) -> verdict.Measured:
    run = session.Session(options or session.Options(), lambda _: None, answers)
    return run.measure([plan])[0]


def test_memory_that_runs_out_is_tried_smaller_once() -> None:
    answers = Answers({"out_of_memory": True}, result())
    found = measured(answers, a_plan())
    assert found.verdict == verdict.FASTER
    assert answers.asked[2]["settings"] == {"turns": 10, "rows": 16, "columns": 64}
    assert not found.confirmed, "what was made smaller is not what the source says"
    assert (
        measured(Answers({"out_of_memory": True}, {"out_of_memory": True}), a_plan()).words
        == "not measured: out of memory"
    )


STEP = "torchperf_lint.verify.benches.sync.scalar_read_every_step"


def test_waits_are_measured_with_host_work_and_judged_without() -> None:
    answers = Answers(result(works=[0.0, 5.0, 10.0]))
    measured(answers, a_plan(STEP))
    assert answers.asked[1]["host_work"] == [0.0, 5.0, 10.0]


def test_the_host_work_that_is_given_decides() -> None:
    answers = Answers(result(works=[0.0, 5.0, 7.0, 10.0]))
    answers.answers = iter([next(answers.answers), result(1.0, works=[0.0, 5.0, 10.0])])
    slow = result(1.0, works=[0.0, 5.0, 10.0])
    slow["clocks"].append({**result(3.0)["clocks"][0], "host_work_ms": 7.0})
    answers = Answers(slow)
    found = measured(answers, a_plan(STEP), session.Options(host_work=7.0))
    assert answers.asked[1]["host_work"] == [0.0, 5.0, 7.0, 10.0]
    assert found.verdict == verdict.FASTER
    assert measured(Answers(slow), a_plan(STEP)).verdict == verdict.NO_GAIN


def test_two_processes_measure_and_more_at_the_edge_of_a_gain() -> None:
    for speedup, processes in ((1.0, 2), (1.03, session.MOST_PROCESSES), (2.0, 2)):
        answers = Answers(result(speedup))
        found = measured(answers, a_plan())
        assert len(answers.asked) == 1 + processes
        assert [each["only_times"] for each in answers.asked[1:3]] == [False, True]
        assert found.clock is not None
        assert found.clock["pairs"] == 60 * processes


def test_one_process_is_enough_where_no_time_would_change_the_verdict() -> None:
    other = result(1.03)
    other["parity"] |= {"same": False, "reason": "`result`: off by up to 1", "difference": 1.0}
    for answer in (other, {"failed": "it broke"}):
        answers = Answers(answer)
        measured(answers, a_plan())
        assert len(answers.asked) == 2


def test_what_a_later_process_cannot_tell_is_left_to_the_first() -> None:
    for breaks in ({"out_of_memory": True}, {"failed": "took longer than 3 s (timing)"}):
        answers = Answers(result(), breaks)
        assert measured(answers, a_plan()).verdict == verdict.FASTER
        assert len(answers.asked) == 3


def test_processes_that_differ_widen_what_is_said() -> None:
    one, other = result(1.1), result(1.3)
    found = verdict.of(a_plan(), session.pooled([one, other]), 0.0).clock
    assert found is not None
    assert found["low"] < 1.1 < 1.3 < found["high"]


def test_what_needs_a_gpu_says_so_without_one() -> None:
    answers = Answers(device="cpu")
    run = session.Session(session.Options(), lambda _: None, answers)
    assert run.measure([a_plan(STEP)])[0].words == "not measured: needs CUDA"
    assert "no GPU here" in run.notices()[0]
    assert len(answers.asked) == 1


def test_a_fix_that_gives_other_results_is_never_confirmed() -> None:
    other = result(5.0)
    other["parity"] |= {"same": False, "reason": "`result`: off by up to 1", "difference": 1.0}
    found = measured(Answers(other), a_plan())
    assert (found.verdict, found.confirmed) == (verdict.DIFFERENT, False)


def test_a_device_that_is_not_there_is_an_error() -> None:
    with pytest.raises(session.ConfigError, match="none there"):
        session.Session(session.Options("cuda:3"), lambda _: None, Answers(device=None))
