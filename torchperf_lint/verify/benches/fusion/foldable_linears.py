"""A gate of two linear layers on one input, forward and backward, and one layer of twice the width with `glu`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Choice, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
import torch.nn.functional as F
from torch import nn


class Gate(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.value, self.gate = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x: torch.Tensor):
        return torch.sigmoid(self.gate(x)) * self.value(x)


def run(layer, x):
    out = layer(x)
    return out.detach(), *torch.autograd.grad(out.sum(), (x,))
"""

AFTER = """
import torch
import torch.nn.functional as F
from torch import nn


class Gate(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.both = nn.Linear(width, 2 * width)

    def forward(self, x: torch.Tensor):
        return F.glu(self.both(x))


def run(layer, x):
    out = layer(x)
    return out.detach(), *torch.autograd.grad(out.sum(), (x,))
"""


def arrange(stage: Stage, *, rows: int, width: int, dtype: str) -> tuple[Any, ...]:
    import torch

    weight, bias = torch.randn(2 * width, width) / width**0.5, torch.randn(2 * width)
    layer = stage.program.Gate(width)
    with torch.no_grad():
        parts = (layer.both,) if hasattr(layer, "both") else (layer.value, layer.gate)
        for part, w, b in zip(parts, weight.chunk(len(parts)), bias.chunk(len(parts)), strict=True):
            part.weight.copy_(w)
            part.bias.copy_(b)
    chosen = getattr(torch, dtype)
    return layer.to(stage.device, chosen), torch.randn(rows, width, device=stage.device, dtype=chosen).requires_grad_()


BENCH = Bench(
    before=BEFORE,
    by_hand=AFTER,
    arrange=arrange,
    parameters={
        "rows": Size(8192, small=4, most=1 << 18, shrinks=True),
        "width": Size(512, small=8, least=2, most=1 << 14),
        "dtype": Choice("float32", ("float32", "bfloat16", "float16")),
    },
    needs_cuda=False,
    adverse=False,
    sweep=({"rows": 2048, "width": 160}, {"dtype": "bfloat16", "rows": 4096, "width": 2048}),
)
