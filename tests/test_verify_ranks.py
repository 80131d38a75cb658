"""Benches of several processes: the fixes do the same on every rank, and a rank that hangs, dies or differs is named."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import forked
import pytest
from test_verify_worker import Answers, result

torch = pytest.importorskip("torch")
if not torch.distributed.is_available():
    pytest.skip("torch without torch.distributed", allow_module_level=True)

from torchperf_lint.verify import child, plan, record, session, verdict  # noqa: E402
from torchperf_lint.verify.bench import Found, all_benches  # noqa: E402
from torchperf_lint.verify.ranks import hanging  # noqa: E402

MODULE = "torchperf_lint.verify.benches.distributed.gradients_beside_buckets"
SHAPES = {"batch": "4", "width": "16", "depth": "2"}
TOGETHER = [each for each in all_benches() if each.bench.ranks > 1]
HEAD = """
import os
import time

import torch
import torch.distributed as dist


class Trainer:
    def __init__(self, model, device):
        self.model = model


def run(trainer, loader):
    rank = dist.get_rank()
"""
SAME = HEAD + "    return torch.ones(3) * rank\n"


@pytest.fixture(autouse=True)
def _one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


def request(before: str, after: str, limit: float, module: str = MODULE, **settings: int) -> dict[str, Any]:
    return {
        "module": module, "before": before, "after": after, "exact": False, "device": "cpu", "ranks": 2, "limit": limit,
        "settings": settings or {"batch": 4, "width": 16, "depth": 2}, "host_work": [0.0], "seconds": 0.2, "only_times": False,
    }  # fmt: skip


def asked(before: str, after: str, limit: float = 100) -> dict[str, Any]:
    return child.ask(request(before, after, limit), limit + 20)


def compared(made: plan.Plan, before: str, after: str, folder: Path) -> dict[str, Any]:
    """Whether two programs of a bench do the same on every rank."""
    found = forked.ask(request(before, after, 110, made.module, **dict(made.settings)), folder)
    same: dict[str, Any] = found["parity"]
    return same


def planned(found: Found) -> plan.Plan:
    return plan.of_benches([found], SHAPES)[0]


forking = pytest.mark.skipif(sys.platform == "win32", reason="nothing forks there")


@pytest.mark.slow
@forking
@pytest.mark.parametrize(
    "found", [each for each in TOGETHER if not each.bench.needs_cuda], ids=lambda each: str(each.code)
)
def test_fixes_do_the_same_on_every_rank(found: Found, tmp_path: Path) -> None:
    """Parameters, their gradients and what comes back, after all steps of a bench, over gloo."""
    made = planned(found)
    assert made.programs is not None
    assert made.programs.before != made.programs.after
    same = compared(made, made.programs.before, made.programs.after, tmp_path)
    assert (same["same"], same["broken"], same["reason"]) == (True, None, None)
    assert same["compared"] == 2


@pytest.mark.slow
def test_a_rank_that_differs_is_named() -> None:
    other = HEAD + "    return torch.ones(3) * rank * 1.01\n"
    found = asked(SAME, other)
    assert found["parity"]["same"] is False
    assert found["parity"]["reason"].endswith("on rank 1")
    assert 0.009 < found["parity"]["difference"] < 0.011


@pytest.mark.slow
@forking
def test_gradients_that_are_not_averaged_are_seen(tmp_path: Path) -> None:
    """Each rank has batches of its own, so leaving the averages out does not go unnoticed."""
    found = next(each for each in TOGETHER if each.code == "TPL803")
    made = planned(found)
    assert made.programs is not None
    never = made.programs.after.replace(
        "require_backward_grad_sync = (i + 1) % 4 == 0", "require_backward_grad_sync = False"
    )
    assert never != made.programs.after
    same = compared(made, made.programs.before, never, tmp_path)
    assert same["same"] is False


@pytest.mark.slow
def test_a_rank_that_hangs_is_named_and_ended() -> None:
    hangs = HEAD + "    while rank == 1: time.sleep(1)\n    dist.barrier()\n"
    line = hangs.splitlines().index("    while rank == 1: time.sleep(1)") + 1
    for limit in (10, 60):  # a busy machine takes longer to come as far
        start = time.monotonic()
        found = asked(SAME, hangs, limit)
        assert time.monotonic() - start < limit + 50
        if f"line {line}" in found["failed"]:
            break
    assert found["failed"] == f"took longer than {limit} s: rank 1 hangs at line {line} of after, rank 0 waits for it"


@pytest.mark.slow
def test_a_rank_that_dies_is_named() -> None:
    dies = HEAD + "    if rank == 1: os.kill(os.getpid(), 9)\n    dist.barrier()\n"
    assert asked(SAME, dies)["failed"] == "rank 1: the process was ended by SIGKILL"


def test_ranks_that_all_wait_wait_for_each_other() -> None:
    waits = [("/torch/distributed/distributed_c10d.py", 9, "barrier"), ("<after>", 4, "run")]
    works = [("<before>", 7, "run")]
    assert (
        hanging({0: waits, 1: waits})
        == "the ranks wait for each other (rank 0 at line 4 of after, rank 1 at line 4 of after)"
    )
    assert hanging({0: waits, 1: works}) == "rank 1 hangs at line 7 of before, rank 0 waits for it"
    assert hanging({0: [], 1: []}) == "nothing tells which rank hangs"


@pytest.mark.parametrize(
    ("gpus", "device", "place"), [(2, "cuda:0", "cuda:0"), (1, "cuda:0", "cpu"), (0, "cpu", "cpu")]
)
def test_ranks_have_a_gpu_each_or_all_the_cpu(gpus: int, device: str, place: str) -> None:
    answers = Answers({**result(), "parity": result()["parity"]}, device=device)
    run = session.Session(session.Options(), lambda _: None, answers)
    run.device.about["gpus"] = gpus
    found = next(each for each in TOGETHER if each.code == "TPL803")
    (measured,) = run.measure([planned(found)])
    request = answers.asked[1]
    assert (request["device"], request["ranks"]) == (place, 2)
    assert measured.to_plain(run.device)["device"] == ("2 × Some GPU" if gpus == 2 else "the CPU, 2 processes")


def test_what_a_cpu_cannot_show_says_that_it_needs_two_gpus() -> None:
    found = next(each for each in TOGETHER if each.bench.needs_cuda)
    for device in ("cuda:0", "cpu"):
        run = session.Session(session.Options(), lambda _: None, Answers(device=device))
        (measured,) = run.measure([planned(found)])
        assert measured.words == "not measured: needs two GPUs"


def test_measurements_of_two_gpus_have_a_record_of_their_own(tmp_path: Path) -> None:
    device = verdict.Device("Some GPU", "2.9", cuda=True, about={"name": "Some GPU", "torch": "2.9", "gpus": 2})
    made = planned(next(each for each in TOGETHER if each.code == "TPL803"))
    alone = verdict.of(made, session.pooled([result()]), 0.0)
    together = verdict.of(made, {**session.pooled([result()]), "ranks": 2, "device": "2 × Some GPU"}, 0.0)
    assert [path.name for path in record.write([alone, together], device, tmp_path)] == [
        "some-gpu.json",
        "2-some-gpu.json",
    ]
    assert '"name": "2 × Some GPU"' in (tmp_path / "2-some-gpu.json").read_text(encoding="utf-8")
    one = verdict.Device("Some GPU", "2.9", cuda=True, about={"name": "Some GPU", "torch": "2.9", "gpus": 1})
    stood_in = verdict.of(made, {**session.pooled([result()]), "ranks": 2, "device": "the CPU, 2 processes"}, 0.0)
    assert record.write([stood_in], one, tmp_path) == [], "the CPU says nothing of two GPUs"
