"""What is written down of a program's steps where it is measured, and what a move of the last digit does to its parameters."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from torchperf_lint.trace.collect import timing
from torchperf_lint.trace.launch import Ended
from torchperf_lint.trace.settings import STATE, Settings
from torchperf_lint.verify.program.runs import _why

torch = pytest.importorskip("torch")

from torchperf_lint.trace.recorder import session  # noqa: E402 - they need torch
from torchperf_lint.trace.recorder.results import Results  # noqa: E402


@pytest.fixture
def unpatched(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is hooked into is put back at the end."""
    monkeypatch.setattr(torch.autograd, "backward", torch.autograd.backward)
    monkeypatch.setattr(torch.optim.Optimizer, "__init__", torch.optim.Optimizer.__init__)


@pytest.mark.usefixtures("unpatched")
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_parameters_are_moved_by_their_last_digit_and_no_more(dtype: torch.dtype) -> None:
    results = Results(3, nudged=True)
    results.watch()
    weight = torch.nn.Parameter(torch.ones(2, 3, 4, 4, dtype=dtype).to(memory_format=torch.channels_last))
    single = torch.nn.Parameter(torch.tensor(2.0))
    optimizer = torch.optim.SGD([weight, single], lr=0)
    loss = (weight * weight).sum()
    drawn = torch.get_rng_state()
    results.step()
    eps = torch.finfo(dtype).eps
    moved = (weight.detach() - 1).abs()
    assert moved.max() == eps
    assert moved.count_nonzero() == weight.numel() / 2
    assert torch.equal(drawn, torch.get_rng_state())
    loss.backward()  # a graph that has saved it is none the wiser
    for _ in range(5):
        results.step()
    assert (weight.detach() - 1).abs().max() <= 2 * eps
    assert results.is_over
    assert len(results.parameters) == sum(len(group["params"]) for group in optimizer.param_groups)


@pytest.mark.usefixtures("unpatched")
def test_without_it_nothing_is_moved() -> None:
    results = Results(2)
    results.watch()
    weight = torch.nn.Parameter(torch.ones(4))
    optimizer = torch.optim.SGD([weight], lr=0)
    results.step()
    results.step()
    assert optimizer.param_groups[0]["params"][0] is weight
    assert torch.equal(weight.detach(), torch.ones(4))
    assert results.parameters == [(6.0, 6.0)]


def recorded(folder: Path, steps: int, **how: Any) -> dict[str, Any]:
    """What is written of a program of so many steps that is timed: of a millisecond each, where the warm-up takes 150."""
    begun = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "perf_counter_ns", lambda: 1_000_000 * begun)
        each = session.Session(Settings(str(folder), profile=False, **how), str(folder))
        for _ in range(steps):
            begun += 1
            each.boundary()
        each.finish()
    found = json.loads((folder / f"{each.process}{STATE}").read_text(encoding="utf-8"))
    assert not found["error"]
    return found


@pytest.mark.parametrize("asked", [None, 4, 500])
def test_a_program_that_is_over_before_it_is_warm_is_timed(tmp_path: Path, asked: int | None) -> None:
    state = recorded(tmp_path, 60, results=8, last=asked)
    first = timing(state, math.inf)
    assert first is not None
    assert (first.steps, first.ms) == (4 if asked == 4 else 49, pytest.approx(1.0))
    assert state["warm"] == (47 if asked == 4 else 2), "those that are asked for are the last ones"
    again = timing(recorded(tmp_path, 60, warm=8 + state["warm"], last=first.steps), math.inf)
    assert again is not None
    assert (again.steps, again.ms) == (first.steps, pytest.approx(1.0)), "of all runs the same steps are timed"


@pytest.mark.parametrize(("steps", "timed"), [(0, None), (1, None), (3, None), (4, 1)])
def test_of_the_first_steps_none_is_timed(tmp_path: Path, steps: int, timed: int | None) -> None:
    state = recorded(tmp_path, steps)
    found = timing(state, math.inf)
    assert (found.steps if found is not None else None) == timed
    if steps and not timed:
        said = _why(Ended(0, 1, {1: state}), state, tmp_path)
        assert re.fullmatch("the program ended after [13] steps?, before any were timed: let it run longer", said)
