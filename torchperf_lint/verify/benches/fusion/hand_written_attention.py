"""Attention, forward and backward: with its scores in memory, and fused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify import shown
from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import ATTENTION

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


class Attention(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        weights = F.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
        return weights @ v


def run(attention, q, k, v):
    out = attention(q, k, v)
    return out.detach(), *torch.autograd.grad(out.sum(), (q, k, v))
"""

AFTER = """
import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        return F.scaled_dot_product_attention(q, k, v)


def run(attention, q, k, v):
    out = attention(q, k, v)
    return out.detach(), *torch.autograd.grad(out.sum(), (q, k, v))
"""


def arrange(stage: Stage, *, batch: int, heads: int, length: int, width: int, dtype: str) -> tuple[Any, ...]:
    import torch

    made = [
        torch.randn(batch, heads, length, width, device=stage.device, dtype=getattr(torch, dtype)) for _ in range(3)
    ]
    return (stage.program.Attention(), *(each.requires_grad_() for each in made))


def at(call: cst.Call, facts: Facts) -> Mapping[str, object]:
    return {**shown.attention(call, facts), **shown.precision(facts)}


BENCH = Bench(
    before=BEFORE,
    by_hand=AFTER,
    arrange=arrange,
    parameters=ATTENTION,
    at=at,
    needs_cuda=False,
    adverse=False,
    sweep=({"dtype": "float32"}, {"batch": 64, "heads": 6, "length": 197}),
)
