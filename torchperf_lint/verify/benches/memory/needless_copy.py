"""Copies that the next operation does without: forward and backward."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

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
    def forward(self, x: torch.Tensor, y: torch.Tensor, w: torch.Tensor):
        x, y, w = x.view_as(x), y.view_as(y), w.view_as(w)
        labels = torch.zeros(y.shape[:2], dtype=torch.int64, device=y.device)
        return $form


def run(layer, x, y, w):
    out = layer(x, y, w)
    return out.detach(), *torch.autograd.grad(out.sum(), (x, y, w), allow_unused=True)
"""

FORMS = (
    "x.unsqueeze(1).repeat(1, y.shape[1], 1) * y",
    "x @ w.t().contiguous()",
    "F.cross_entropy(y[:, :-1, :].contiguous().view(-1, y.size(-1)), labels[:, 1:].contiguous().view(-1))",
    "y[:, :-1, :].contiguous().sum(-1)",
)


def arrange(stage: Stage, *, form: str, rows: int, times: int, width: int, dtype: str) -> tuple[Any, ...]:
    import torch

    del form
    shapes = ((rows, width), (rows, times, width), (width, width))
    made = [torch.randn(*shape, device=stage.device, dtype=getattr(torch, dtype)) for shape in shapes]
    return (stage.program.Layer(), *(each.requires_grad_() for each in made))


def at(call: cst.Call, facts: Facts) -> Mapping[str, object] | None:
    """Which of the copies it is, and the dtype of what is copied."""
    return facts.ask(_told, call)


def _told(facts: Facts, call: ast.AST) -> Mapping[str, object] | None:
    from torchperf_lint.rules.memory.needless_copy import match, slices

    copy = match.copy(facts, call)
    if copy is None or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    if call.func.attr == "repeat":
        form = FORMS[0]
    elif copy.shift is not None:
        form = FORMS[2]
    else:
        form = FORMS[3 if slices.is_reduced(facts.module, call, call.func.value) else 1]
    tensor = facts.value_at(copy.of)
    return {"form": form, **({"dtype": tensor.value.dtype} if tensor.known and tensor.value.dtype else {})}


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "form": Choice(FORMS[0], FORMS),
        "rows": Size(1024, small=4, most=1 << 16, shrinks=True),
        "times": Size(32, small=3, most=4096, shrinks=True),
        "width": Size(1024, small=8, most=1 << 18),
        "dtype": Choice("float32", ("float32", "bfloat16", "float16")),
    },
    at=at,
    adverse=False,
    sweep=(
        *({"form": form} for form in FORMS[1:]),
        {"form": FORMS[1], "dtype": "bfloat16", "rows": 4096, "width": 4096, "times": 1},
        {"form": FORMS[2], "dtype": "bfloat16", "rows": 8, "times": 1024, "width": 32000},
    ),
)
