"""Activations and norms of a layer, forward and backward: written out, and as one operation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Choice, Size

if TYPE_CHECKING:
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


def arrange(stage: Stage, *, form: str, rows: int, width: int, dtype: str) -> tuple[Any, ...]:
    import torch

    del form
    x = torch.randn(rows, width, device=stage.device, dtype=getattr(torch, dtype))
    return stage.program.Layer(), x.requires_grad_()


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "form": Choice(FORMS[0], FORMS),
        "rows": Size(8192, small=4, most=1 << 18, shrinks=True),
        "width": Size(4096, small=8, least=2, most=1 << 15, shrinks=True),
        "dtype": Choice("float32", ("float32", "bfloat16", "float16")),
    },
    adverse=False,
    sweep=(
        *({"form": form} for form in FORMS[1:]),
        {"dtype": "bfloat16", "form": FORMS[5]},
        {"rows": 1024, "width": 768},
    ),
)
