"""Attention of half precision: made float32 first, and as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify import shown
from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import ATTENTION

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        return F.scaled_dot_product_attention(q.float(), k.float(), v.float()).to(q.dtype)


@torch.no_grad()
def run(attention, q, k, v):
    return attention(q, k, v)
"""


def arrange(stage: Stage, *, batch: int, heads: int, length: int, width: int, dtype: str) -> tuple[Any, ...]:
    import torch

    made = [
        torch.randn(batch, heads, length, width, device=stage.device, dtype=getattr(torch, dtype)) for _ in range(3)
    ]
    return stage.program.Attention(), *made


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters=ATTENTION,
    at=shown.attention,
    adverse=False,
)
