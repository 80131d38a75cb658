"""How many steps are observed, of what kind, and in which processes."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from itertools import accumulate
from pathlib import Path

import pytest
from light_torch import NO_META, PROFILED
from test_trace_command import PACKAGE, TRAINING, traced

from torchperf_lint.trace import file, rounds
from torchperf_lint.trace.collect import timing
from torchperf_lint.trace.costs import LOADER
from torchperf_lint.trace.recorder.pace import Pace

PLAYING = [1.0] * 15 + [60.0]


def times(steps: list[float]) -> list[int]:
    return [round(each * 1e6) for each in accumulate(steps, initial=0.0)]


def noisy(steps: list[float]) -> list[float]:
    chance = random.Random(1)
    return [each * chance.uniform(0.8, 1.2) for each in steps]


def test_steps_that_repeat_have_a_round() -> None:
    assert rounds.length(times(noisy(PLAYING * 4))) == 16
    assert rounds.length(times(noisy([1.0, 1.0, 9.0] * 10))) == 3


@pytest.mark.parametrize(
    "steps",
    [
        [1.0] * 40,
        [1.0] * 20 + [9.0] * 20,
        [1.0] * 8 + [30.0] + [1.0] * 11 + [30.0] + [1.0] * 19,
        [1.0] * 39 + [90.0],
        PLAYING * 2,
        [],
        [1.0],
    ],
    ids=["alike", "slower later", "two at random", "one", "two rounds only", "none", "a single one"],
)
def test_other_steps_have_none(steps: list[float]) -> None:
    assert rounds.length(times(noisy(steps))) == 1


def test_a_step_in_which_something_held_the_host_up_is_not_timed() -> None:
    seen = times([10.0] * 20 + [60.0] + [10.0] * 40)
    assert rounds.stalls(seen) == {20}
    found = timing({"times": {"base": [], "base again": [*seen, seen[-1]]}}, 12.0)
    assert found is not None
    assert (found.steps, found.ms) == (60, pytest.approx(10.0))


@pytest.mark.parametrize("steps", [PLAYING * 4, [1.0] * 20 + [9.0] * 20, [1.0], []])
def test_steps_of_another_kind_are_no_stalls(steps: list[float]) -> None:
    assert not rounds.stalls(times(steps))


def test_steps_at_random_have_none() -> None:
    chance = random.Random(2)
    for _ in range(50):
        assert rounds.length(times([chance.choice([1.0, 1.0, 1.0, 8.0]) for _ in range(60)])) == 1


def test_a_step_of_a_round_is_timed_over_whole_rounds() -> None:
    seen = times(PLAYING * 4 + [1.0] * 5)
    found = timing({"times": {"base": times([1.0] * 12), "base again": [*seen, seen[-1]]}}, 6.0)
    assert found is not None
    assert found.round == 16
    assert found.steps == 64
    assert found.ms == pytest.approx(sum(PLAYING) / 16, rel=0.01)


@pytest.mark.slow
def test_a_short_program_is_profiled_before_it_ends(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    done = traced(tmp_path, TRAINING.replace("range(40)", "range(60)"), "--stop")
    assert done.returncode == 0, done.stderr
    trace = file.read(tmp_path / "run.tpltrace")
    assert trace.steps >= 10
    assert trace.timing is not None


LOADING = PROFILED.replace(NO_META, "")
"""A loader makes a generator."""
DISTRIBUTED = (
    f"{LOADING}; _dynamo = sys.modules['torch._dynamo']; "
    "_dynamo.utils, _dynamo.trace_rules = N(get_optimize_ddp_mode=str), N(clear_lru_cache=bool)"
)
"""A group of processes, and DDP, ask torch._dynamo for what it has to do with them."""

SPAWNING = """\
import torch
import torch.multiprocessing


class Rows(torch.utils.data.Dataset):
    def __len__(self):
        return 240

    def __getitem__(self, index):
        return torch.ones(8) * index


def work(rank, size, rendezvous):
    torch.distributed.init_process_group("gloo", init_method=f"file://{rendezvous}", rank=rank, world_size=size)
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(8, 8))
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for x in torch.utils.data.DataLoader(Rows(), batch_size=4, num_workers=1, multiprocessing_context="spawn"):
        model(x).sum().backward()
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    torch.multiprocessing.spawn(work, args=(2, "FILE"), nprocs=2)
"""


@pytest.mark.slow
def test_ranks_that_the_program_starts_itself_are_observed_and_workers_are_not(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    if not torch.distributed.is_available():
        pytest.skip("torch without distributed")
    done = traced(tmp_path, f"{DISTRIBUTED}; {SPAWNING.replace('FILE', str(tmp_path / 'meet'))}")
    assert done.returncode == 0, done.stderr
    assert sorted(each.name for each in tmp_path.glob("*.tpltrace")) == ["run.rank0.tpltrace", "run.rank1.tpltrace"]
    assert {file.read(each).steps for each in tmp_path.glob("*.tpltrace")} == {4}
    assert re.search(r"2 ranks were observed|Rank [01] holds up the others", done.stderr), (
        "a busy machine slows one of them"
    )


@pytest.mark.slow
def test_ranks_of_fast_and_of_slow_steps_are_profiled_alike(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    text = TRAINING.replace("range(40)", "range(120)").replace(
        "    step(", "    time.sleep(0.02 * int(os.environ['RANK']))\n    step("
    )
    for rank in "01":
        (tmp_path / rank).mkdir()
        (tmp_path / rank / "train.py").write_text("import time\n" + text, encoding="utf-8")
        made = {**os.environ, "PYTHONPATH": str(PACKAGE), "RANK": rank, "WORLD_SIZE": "2"}
        command = [sys.executable, "-m", "torchperf_lint", "trace", "--", sys.executable, "train.py"]
        subprocess.run(command, cwd=tmp_path / rank, env=made, capture_output=True, timeout=300, check=True)
    traces = [file.read(tmp_path / rank / "run.tpltrace") for rank in "01"]
    assert [each.steps for each in traces] == [20, 20]
    assert all(each.timing is not None for each in traces)


@pytest.mark.parametrize("seconds", [0.0, 100.0])
@pytest.mark.parametrize(("phase", "steps"), [("warm-up", 5), ("base", 15), ("profiled", 20), ("base again", 60)])
def test_phases_of_ranks_last_as_long_however_long_their_steps_take(phase: str, steps: int, seconds: float) -> None:
    pace = Pace(None, None, profile=True, ranks=2)
    assert [pace.is_over(phase, each, seconds) for each in (steps - 1, steps)] == [False, True]


PARTS = """\
import torch


def train(steps):
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for _ in range(steps):
        model(torch.randn(2, 4)).sum().backward()
        optimizer.step()


kept = [train(8), train(400)]
"""


@pytest.mark.slow
def test_a_training_in_two_parts_has_steps_in_both(tmp_path: Path) -> None:
    """The first part's optimizer tells of no more steps: it was said that the program ended after eight."""
    pytest.importorskip("torch")
    assert traced(tmp_path, f"{PROFILED}; {PARTS}", "--stop").returncode == 0
    trace = file.read(tmp_path / "run.tpltrace")
    assert trace.steps >= 10
    assert trace.timing is not None
    assert {each.number for each in trace.lines if each.ran} >= {8, 9}


ACCUMULATING = """\
import torch


class Prepared(torch.optim.Optimizer):  # a trainer's, around that of the program
    def __init__(self, optimizer):
        self.optimizer, self.calls = optimizer, 0

    def step(self):
        self.calls += 1
        if self.calls % 4 == 0:
            self.optimizer.step()


class Trainer:
    def fit(self, model, optimizer):
        optimizer = Prepared(optimizer)
        for _ in range(80):
            self.training_step(model)
            optimizer.step()

    def training_step(self, model):
        model(torch.randn(2, 4)).sum().backward()


model = torch.nn.Linear(4, 4)
Trainer().fit(model, torch.optim.SGD(model.parameters(), 0.1))
"""


@pytest.mark.slow
def test_gradients_that_are_accumulated_by_a_trainer_are_one_step(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    assert traced(tmp_path, f"{PROFILED}; {ACCUMULATING}").returncode == 0
    trace = file.read(tmp_path / "run.tpltrace")
    assert (trace.steps, trace.about["found_by"]) == (4, "SGD.step")
    assert {each.number: each.ran for each in trace.lines}[22] == 4 * trace.steps


COMPILED = """\
import torch
from torch._dynamo.utils import counters


class Model(torch.nn.Module):
    def forward(self, x):
        torch._dynamo.graph_break()
        return x.sin()


called = torch.compile(Model(), backend="eager")
for _ in range(40):
    with torch.no_grad():
        called(torch.randn(4, 8))
print(counters["frames"]["total"])
"""


@pytest.mark.slow
def test_nothing_of_ours_is_compiled_with_the_program(tmp_path: Path) -> None:
    """Its compiled regions are those that it has without us: its function, and the rest of that behind the break."""
    pytest.importorskip("torch")
    done = traced(tmp_path, COMPILED, "--steps", "6:10")
    assert done.stdout == "2\n", done.stderr
    assert "OptimizedModule at train.py:14" in done.stderr


@pytest.mark.slow
def test_the_earliest_steps_are_profiled_where_they_are_asked_for(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    done = traced(tmp_path, TRAINING.replace("range(40)", "range(8)"), "--steps", "2:5")
    assert done.returncode == 0, done.stderr
    trace = file.read(tmp_path / "run.tpltrace")
    assert trace.steps == 3
    assert trace.timing is not None


def test_the_beginning_of_an_epoch_is_time_in_a_loader() -> None:
    torch = pytest.importorskip("torch")
    from torchperf_lint.trace.recorder.loaders import Loaders
    from torchperf_lint.trace.recorder.patches import Patches

    loader = torch.utils.data.DataLoader
    begin, patches = loader.__iter__, Patches()
    Loaders().watch(patches)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profiled:
        list(loader(range(4)))
    patches.take_away()
    assert loader.__iter__ is begin
    named = [each.name for each in profiled.events() if each.name.startswith(LOADER)]
    assert named[0].endswith("DataLoader.__iter__")
    assert len(named) == 1 + 5, "and four batches with the end"


BUSY = """
import time
import torch

class Busy(torch.utils.data.Dataset):
    def __len__(self):
        return 400

    def __getitem__(self, at):
        end = time.process_time() + 0.01
        while time.process_time() < end:
            pass
        return torch.zeros(4)

if __name__ == "__main__":
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in torch.utils.data.DataLoader(Busy(), batch_size=2, num_workers=1):
        model(x).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
        time.sleep(0.03)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="nothing says there what a process took")
def test_what_workers_take_of_the_processor_is_known(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    done = traced(tmp_path, LOADING + BUSY, "--steps", "40:45")
    assert done.returncode == 0, done.stderr
    timing = file.read(tmp_path / "run.tpltrace").timing
    assert timing is not None
    assert 15 < timing.loading <= timing.ms * 1.1, "two items of 10 ms a step, and nobody waits for them"
