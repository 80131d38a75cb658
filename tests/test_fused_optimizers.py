"""Why SGD with momentum must not be fused under a gradient scaler, and why the other optimizers may: shown on the CPU.

If a torch comes along in which the first of these tests fails, the flaw is mended there, and TPL306 and TPL605 can speak
of SGD with momentum again from that release on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from torchperf_lint.config.config import Config
from torchperf_lint.config.selection import Layer, chosen
from torchperf_lint.run.lint_file import lint_bytes

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


WEIGHTS = """\
import torch


def weights(width, dtype=torch.{dtype}):
    return torch.nn.Parameter(torch.empty(width, width, dtype=dtype))
"""
PROGRAM = """\
import torch
from torch import nn
from layers import weights


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = weights(64)


def train(loader):
    net = Net().cuda()
    optimizer = torch.optim.Adam(net.parameters())
    for x in loader:
        optimizer.zero_grad()
        (x.cuda() @ net.weight).abs().sum().backward()
        optimizer.step()
"""


def test_the_fused_kernels_refuse_complex_weights() -> None:
    weight = torch.nn.Parameter(torch.ones(3, dtype=torch.cfloat))
    weight.grad = torch.ones_like(weight)
    with pytest.raises(RuntimeError, match="floating point"):
        torch.optim.Adam([weight], fused=True).step()


@pytest.mark.parametrize(("path", "dtype", "is_fixed"), [
    ("layers.py", "float32", True), ("layers.py", "cfloat", False), ("test_layers.py", "cfloat", True),
])  # fmt: skip
def test_weights_that_another_file_may_make_complex_get_no_fix(
    tmp_path: Path, path: str, dtype: str, is_fixed: bool
) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / path).write_text(WEIGHTS.format(dtype=dtype))
    (tmp_path / "train.py").write_text(PROGRAM)
    config = Config(root=tmp_path, rules=chosen([Layer(select=("TPL605",))]), cache=False)
    (finding,) = lint_bytes(PROGRAM.encode(), str(tmp_path / "train.py"), config)
    assert (finding.fix is not None) is is_fixed
