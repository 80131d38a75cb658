"""Why SGD with momentum must not be fused under a gradient scaler, and why the other optimizers may: shown on the CPU.

If a torch comes along in which the first of these tests fails, the flaw is mended there, and TPL306 and TPL605 can speak
of SGD with momentum again from that release on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")


@pytest.fixture(autouse=True)
def _empty_memory_is_nan() -> Iterator[None]:
    """What `torch.empty` gives is whatever lay there before; here NaN, so that nobody can read it unseen."""
    torch.use_deterministic_algorithms(True)
    assert torch.utils.deterministic.fill_uninitialized_memory
    yield
    torch.use_deterministic_algorithms(False)


def trained(name: str, **settings: object) -> torch.Tensor:
    """A weight after a first step that overflows, which the scaler has to skip, and two good ones."""
    weight = torch.nn.Parameter(torch.ones(100))
    optimizer = getattr(torch.optim, name)([weight], lr=0.1, **settings)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0)
    for factor in (float("inf"), 1.0, 1.0):
        optimizer.zero_grad()
        scaler.scale((weight * factor).sum()).backward()
        scaler.step(optimizer)
        scaler.update()
    return weight.detach()


def test_fused_sgd_reads_momentum_that_nobody_wrote() -> None:
    assert trained("SGD", momentum=0.9).isfinite().all()
    assert trained("SGD", momentum=0.9, fused=True).isnan().any()


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("SGD", {}),
        ("SGD", {"weight_decay": 0.1}),
        ("Adam", {}),
        ("Adam", {"amsgrad": True, "weight_decay": 0.1}),
        ("AdamW", {}),
        ("AdamW", {"amsgrad": True}),
        ("Adagrad", {}),
        ("Adagrad", {"initial_accumulator_value": 0.1, "weight_decay": 0.1}),
    ],
)
def test_other_fused_optimizers_skip_an_overflow(name: str, settings: dict[str, object]) -> None:
    torch.testing.assert_close(trained(name, **settings, fused=True), trained(name, **settings))


def test_no_other_optimizer_of_torch_starts_from_uninitialised_memory() -> None:
    folder = Path(torch.optim.__file__).parent
    starts = {path.name for path in folder.glob("*.py") if re.search(r"torch\.empty\w*\(", path.read_text("utf-8"))}
    assert starts == {"sgd.py"}


def test_fused_sgd_raises_if_a_weight_gets_its_first_gradient_late() -> None:
    first, late = (torch.nn.Parameter(torch.ones(3)) for _ in range(2))
    optimizer = torch.optim.SGD([first, late], lr=0.1, momentum=0.9, fused=True)
    first.sum().backward()
    optimizer.step()
    (first.sum() + late.sum()).backward()
    with pytest.raises(TypeError):
        optimizer.step()
