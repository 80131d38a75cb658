"""Activations and norms of a layer, forward and backward: written out, and as one operation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Choice, Size

if TYPE_CHECKING:
    from collections.abc import Mapping

    import libcst as cst

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import math

import torch
import torch.nn.functional as F
from torch import nn


class Layer(nn.Module):
    def forward(self, x: torch.Tensor):
        return $form


def run(layer, x):
    out = layer(x)
    return out.detach(), *torch.autograd.grad(out.sum(), (x,))
"""

FORMS = (
    "0.5 * x * (1.0 + torch.erf(x / math.sqrt(2.0)))",
    "0.5 * x * (1.0 + torch.tanh(0.7978845608 * (x + 0.044715 * torch.pow(x, 3))))",
    "x * torch.sigmoid(x)",
    "torch.log(1 + torch.exp(x))",
    "torch.log(torch.softmax(x, -1))",
    "x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)",
    "(x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True, unbiased=False) + 1e-5)",
)

MISH = "x * torch.tanh(F.softplus(x))"
OF = dict(zip(("gelu", "gelu tanh", "silu", "softplus", "log_softmax", "rms_norm", "layer_norm"), FORMS, strict=True))


def arrange(stage: Stage, *, form: str, rows: int, width: int, dtype: str) -> tuple[Any, ...]:
    import torch

    del form
    x = torch.randn(rows, width, device=stage.device, dtype=getattr(torch, dtype))
    return stage.program.Layer(), x.requires_grad_()


def at(call: cst.Call, facts: Facts) -> Mapping[str, object] | None:
    """The formula that is written out, and the dtype of its tensor."""
    from torchperf_lint.rules.fusion.hand_written_fused_op import match

    form = facts.ask(match.form, call)
    if form is None:
        return None
    tensor = facts.value_at(form.of)
    name = f"{form.fused} tanh" if "tanh" in form.arguments else form.fused
    dtype = {"dtype": tensor.value.dtype} if tensor.known and tensor.value.dtype else {}
    return {"form": {**OF, "mish": MISH}.get(name), **dtype}


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "form": Choice(FORMS[0], (*FORMS, MISH)),
        "rows": Size(8192, small=4, most=1 << 18, shrinks=True),
        "width": Size(4096, small=8, least=2, most=1 << 15, shrinks=True),
        "dtype": Choice("float32", ("float32", "bfloat16", "float16")),
    },
    at=at,
    adverse=False,
    sweep=(
        *({"form": form} for form in FORMS[1:]),
        {"dtype": "bfloat16", "form": FORMS[5]},
        {"rows": 1024, "width": 768},
    ),
)
