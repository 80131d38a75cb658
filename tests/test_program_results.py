"""What is written down of a program's first steps, and what a move of the last digit does to its parameters."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from torchperf_lint.trace.recorder.results import Results  # noqa: E402 - it needs torch


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
