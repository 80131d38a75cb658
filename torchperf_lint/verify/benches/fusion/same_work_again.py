"""A function of a tensor that is called twice in a step, and once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
from torch import nn


def quantise(x: torch.Tensor, levels: int):
    top = x.abs().max()
    scaled = x / top * levels
    rounded = scaled.round()
    return rounded / levels * top


class Layer(nn.Module):
    def forward(self, x: torch.Tensor, other: torch.Tensor):
        first = quantise(x, 16) @ other
        second = other @ quantise(x, 16)
        return first, second


def run(layer, x, other):
    return layer(x, other)
"""

AFTER = BEFORE.replace(
    """        first = quantise(x, 16) @ other
        second = other @ quantise(x, 16)
""",
    """        quantised = quantise(x, 16)
        first = quantised @ other
        second = other @ quantised
""",
)


def arrange(stage: Stage, *, size: int) -> tuple[Any, ...]:
    import torch

    return stage.program.Layer(), *(torch.randn(size, size, device=stage.device) for _ in range(2))


BENCH = Bench(
    before=BEFORE,
    by_hand=AFTER,
    arrange=arrange,
    parameters={"size": Size(4096, small=8, most=1 << 14, shrinks=True)},
    needs_cuda=False,
    adverse=False,
)
