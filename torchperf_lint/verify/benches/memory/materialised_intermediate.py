"""Tensors that are made whole for what torch does without them: forward and backward."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.verify.bench import Bench, Choice, Size

if TYPE_CHECKING:
    from collections.abc import Mapping

    import libcst as cst

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
import torch.nn.functional as F
from torch import nn


class Layer(nn.Module):
    def forward(self, i: torch.Tensor, table: torch.Tensor, a: torch.Tensor, b: torch.Tensor):
        table = table.view(table.shape[0], table.shape[1])
        return $form


def run(layer, i, table, a, b):
    out = layer(i, table, a, b)
    made = torch.autograd.grad(out.sum(), (table, a, b), allow_unused=True)
    return out.detach(), *(each for each in made if each is not None)
"""

FORMS = (
    "F.one_hot(i, table.shape[0]).float() @ table",
    "torch.norm(a[:, None] - b[None], dim=-1)",
    "torch.sqrt(((a[:, None] - b[None]) ** 2).sum(-1))",
    "(a.unsqueeze(-2) * b.unsqueeze(-3)).sum(-1)",
)


def arrange(stage: Stage, *, form: str, rows: int, classes: int, width: int) -> tuple[Any, ...]:
    import torch

    del form
    made = [torch.randn(*shape, device=stage.device) for shape in ((classes, width), (rows, width), (classes, width))]
    i = torch.randint(0, classes, (rows,), device=stage.device)
    return (stage.program.Layer(), i, *(each.requires_grad_() for each in made))


def at(call: cst.Call, facts: Facts) -> Mapping[str, object] | None:
    """What is made whole."""
    return {"form": form} if (form := facts.ask(_form, call)) is not None else None


def _form(facts: Facts, call: ast.AST) -> str | None:
    from torchperf_lint.rules.memory.materialised_intermediate import match

    form = match.form(facts, call)
    if form is None or not isinstance(call, ast.Call):
        return None
    if form.cure.startswith("cdist("):
        return FORMS[1 if last_name(call.func) == "norm" else 2]
    return FORMS[0 if form.cure.startswith("embedding(") else 3]


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "form": Choice(FORMS[0], FORMS),
        "rows": Size(4096, small=4, most=1 << 16, shrinks=True),
        "classes": Size(1000, small=5, most=1 << 16, shrinks=True),
        "width": Size(256, small=3, most=1 << 14),
    },
    at=at,
    adverse=False,
    sweep=(
        *({"form": form} for form in FORMS[1:]),
        {"form": FORMS[1], "rows": 1024, "classes": 1024, "width": 3},
    ),
)
