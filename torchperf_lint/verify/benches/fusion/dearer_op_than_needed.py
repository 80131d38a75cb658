"""Operations of which a part is thrown away, and what stands for them; one form at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Choice, Size

if TYPE_CHECKING:
    from collections.abc import Mapping

    import libcst as cst

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
from torch import nn


class Layer(nn.Module):
    def forward(self, x: torch.Tensor, v: torch.Tensor, k: int):
        x, v = x.float(), v.float()
        y = x.view(x.shape[0], x.shape[1])
        mask = y > 0
        return $form


def stack():
    return nn.ModuleList(Layer() for _ in range(12))


def run(layer, x, v, k: int):
    return layer(x, v, k)
"""

FORMS = (
    "y.max(1)[0]",
    "mask.sum(1) > 0",
    "y.softmax(1).argmax(1)",
    "y.sort(descending=True)[0][:, :k]",
    "torch.ones_like(y) * 0.5",
    "torch.diag(v) @ y",
    "torch.diagonal(y @ y)",
    "(y * x + v * (1 - x)).sum(1)",
    "torch.max(y, torch.zeros_like(y))",
    "torch.stack(y.chunk(4, 0), 0)",
    "(v.unsqueeze(-1) > y[0]).sum(-1)",
    "y.clone().mul_(0.9).add_(x, alpha=0.1)",
)

SAID = (
    "looks for the places too", "counted only to ask", "does not change which element", "put in order",
    "passed through once more", "a product with a diagonal", "made for its diagonal", "blend two tensors",
    "filled with a number to be compared", "copies the parts together as they were",
    "compared with all to be counted", "updated in two passes",
)  # fmt: skip
"""What the rule says of each form; of what nobody reads it says something else, and nothing of that is here to be measured."""


def at(node: cst.CSTNode, facts: Facts) -> Mapping[str, object] | None:
    from torchperf_lint.rules.fusion.dearer_op_than_needed import match

    found = facts.ask(match.form, node)
    forms = [form for form, words in zip(FORMS, SAID, strict=True) if found is not None and words in found.said]
    return {"form": forms[0]} if forms else None


def arrange(stage: Stage, *, form: str, size: int, k: int) -> tuple[Any, ...]:
    import torch

    del form
    return (
        stage.program.Layer(),
        torch.randn(size, size, device=stage.device),
        torch.randn(size, device=stage.device),
        k,
    )


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "form": Choice(FORMS[0], FORMS),
        "size": Size(4096, small=8, least=2, most=1 << 15, shrinks=True),
        "k": Size(8, small=2, most=64),
    },
    at=at,
    unlike={"NaN": "a softmax carries a NaN through its row, and a product through all rows"},
    sweep=tuple({"form": form} for form in FORMS[1:]),
)
"""With `float()` of what is float32 already nothing is done: it tells the linter of what dtype they are."""
