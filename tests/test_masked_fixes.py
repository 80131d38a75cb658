"""What the fixes around masks make of a function gives the same values and gradients, also for masks that are empty or full.

Each function is fixed as a user would have it fixed, and both are run on the CPU. Where the original raises an error, as
the largest element of nothing does, the fix is free to give something.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from torchperf_lint.config.config import Config
from torchperf_lint.engine import lint_text
from torchperf_lint.fixes.apply import fix_text
from torchperf_lint.fixes.splice import Splice
from torchperf_lint.model.finding import Safety
from torchperf_lint.rule import all_rules
from torchperf_lint.syntax.source import Source

torch = pytest.importorskip("torch")

RULES = frozenset(("TPL104", "TPL108", "TPL109", "TPL110", "TPL111"))
pytestmark = pytest.mark.rules(*sorted(RULES))

BODIES = {
    "update": ("z = x * 2", "z[z > 0] *= 3", "z[z < -1] += 0.5", "return z"),
    "choose": ("z, w = x.reshape(4, 5) * 2, y.reshape(4, 5)", "m = w > 0", "z[m] = w[m]", "z[~m] = -z[~m] + 1", "return z"),
    "choose another": ("z = x * 2", "m = z > 0.5", "z[m] = (z[m] - 1).abs() * 2", "return z"),
    "square root": ("z = x * 2", "m = z > 0", "z[m] = torch.sqrt(z[m])", "return z"),
    "logarithm": ("z = x * 2", "m = z > 0", "z[m] = z[m].log() + z[m]", "return z"),
    "division": ("z = x * 2", "m = z.abs() > 0.5", "z[m] = 1 / z[m]", "return z"),
    "division in place": ("z = x * 2", "m = z.abs() > 0.5", "z[m] /= z[m] * 2", "return z"),
    "power": ("z = x * 2", "m = z > 0", "z[m] **= 0.5", "z[m] = z[m] ** 3", "return z"),
    "rows": ("z = x.reshape(4, 5) * 2", "m = z.sum(-1) > 0", "z[m] *= 3", "z[m] = torch.ones(5)", "z[m] = z.mean()", "return z"),
    "shared": ("z = x * 2", "other = z", "m = z > 0", "z[m] *= 2", "z[m] = z[m] - 3", "return other"),
    "sum": ("return x[x > 0].sum() + x.exp()[y > 0.5].sum() * 0",),
    "mean": ("m = x > 0", "return x[m].mean() * 2 - torch.mean(x[m] * 3)"),
    "difference": ("z = x * 3", "m = z > 0.3", "return (x[m] - z[m]).pow(2).mean() + torch.masked_select(x, m).sum()"),
    "sum of logarithms": ("m = x > 0", "return torch.log(x[m]).sum() + x[m].sqrt().mean()"),
    "largest": ("z = x.float()", "return z[z > 0].max() - torch.min(z[z > 0])"),
    "any": ("m = x > 0", "return (x[m] > 1).any(), (x[m] > 0.5).all(), (x > 1)[m].float().mean()"),
    "mean of rows": ("z = x.reshape(4, 5)", "m = z.sum(-1) > 0", "return z[m].mean(0), z[m].sum()"),
    "guard": ("z = x * 2", "m = z > 0", "if m.any():\n        z[m] = 0.5", "return z"),
    "indices": ("z = x * 2", "i = torch.nonzero(z > 0, as_tuple=True)", "z[i] = 3.0", "z[torch.where(z < -1)] = 0", "return z"),
    "count": ("z = x * 2", "return z.sum() / len(z[x > 0])"),
    "distinct": ("z = x * 2", "if len(torch.unique(z.round())) < 3:\n        z = z * 0.5", "return z"),
    "loss": ("z, k = x.reshape(5, 4), (y * 3).long().abs().flatten()[:5] % 4", "m = k != 1",
             "return torch.nn.functional.cross_entropy(z[m], k[m])"),
}  # fmt: skip

INPUTS = {
    "some": lambda g: torch.randn(20, generator=g),
    "none": lambda g: -torch.rand(20, generator=g) - 0.01,
    "all": lambda g: torch.rand(20, generator=g) + 1,
    "zeros": lambda g: torch.randn(20, generator=g) * (torch.rand(20, generator=g) > 0.5),
    "not a number": lambda g: torch.where(torch.rand(20, generator=g) > 0.8, torch.nan, torch.randn(20, generator=g)),
    "infinite": lambda g: torch.where(torch.rand(20, generator=g) > 0.8, -torch.inf, torch.randn(20, generator=g)),
}


def text_of(body: tuple[str, ...]) -> str:
    return (
        'import torch\n\nGPU = torch.device("cuda")\n'
        + "\n\ndef f(x: torch.Tensor, y: torch.Tensor):\n"
        + "".join(f"    {line}\n" for line in body)
    )


def fixed(text: str) -> str:
    config = Config(root=Path.cwd(), rules=RULES)
    result = fix_text(text, "function.py", lambda source: lint_text.lint(source, config), Safety.UNSAFE)
    assert not result.failures
    assert result.text != text
    return result.text


def outcome(text: str, x: Any, y: Any) -> Any:
    """What a function gives, and the gradient of its first argument."""
    namespace: dict[str, Any] = {}
    exec(compile(text, "function.py", "exec"), namespace)
    x = x.clone().requires_grad_()
    given = namespace["f"](x, y.clone())
    given = given if isinstance(given, tuple) else (given,)
    total = sum(each.sum() for each in given if each.is_floating_point())
    total.backward()
    return [each.detach() for each in given], x.grad


def test_every_rule_about_masks_is_tried() -> None:
    config = Config(root=Path.cwd(), rules=RULES)
    texts = [text_of(body) for body in BODIES.values()]
    spoken = {each.code for text in texts for each in lint_text.lint(Source(text, "function.py"), config)}
    assert spoken == RULES <= {rule.code for rule in all_rules()}


@pytest.mark.parametrize("kind", INPUTS)
@pytest.mark.parametrize("name", BODIES)
def test_values_and_gradients_stay(name: str, kind: str) -> None:
    before = text_of(BODIES[name])
    after = fixed(before)
    generator = torch.Generator().manual_seed(7)
    for _ in range(3):
        x, y = INPUTS[kind](generator), torch.randn(20, generator=generator)
        if name == "loss" and not x.isfinite().all():
            continue  # what a loss does beside ignored labels is its own
        try:
            old = outcome(before, x, y)
        except RuntimeError:
            continue
        torch.testing.assert_close(outcome(after, x, y), old, equal_nan=True)


SUGGESTED = {
    "choose": "points[valid > 0] = other[valid > 0]",
    "through a name": "m = valid > 0\n        points[m] = other[m] * 2 + 1",
    "in place": "m = valid > 0\n        points[m] *= 3",
    "square root": "m = valid > 0\n        points[m] = points[m].abs().sqrt()",
    "sum": "m = valid > 0\n        points = points + other[m].sum()",
}


@pytest.mark.parametrize("width", [(), (3,), (2, 3)])
@pytest.mark.parametrize("name", SUGGESTED)
def test_suggestions_hold_for_rows_and_for_elements(name: str, width: tuple[int, ...]) -> None:
    """Where nobody knows how many dimensions a mask has, what is shown must be right for any number of them."""
    body = f"        points = points * 1\n        {SUGGESTED[name]}\n        return points\n"
    text = f"import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, points, valid, other):\n{body}"
    source = Source(text, "net.py")
    found = [each for each in lint_text.lint(source, Config(root=Path.cwd(), rules=RULES)) if each.fix is not None]
    assert found
    assert all(each.fix.safety is Safety.SHOWN for each in found if each.fix is not None)
    after = Splice(source, found[0].fix.edits).text  # type: ignore[union-attr]
    generator = torch.Generator().manual_seed(7)
    points, other = (torch.randn(5, *width, generator=generator) for _ in range(2))
    valid = torch.randn(5, generator=generator)
    results = []
    for each in (text, after):
        namespace: dict[str, Any] = {}
        exec(compile(each, "net.py", "exec"), namespace)
        results.append(namespace["Net"]()(points, valid, other))
    torch.testing.assert_close(*results)
