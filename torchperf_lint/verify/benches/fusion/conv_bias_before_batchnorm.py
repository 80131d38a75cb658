"""A convolution and the BatchNorm behind it, forward and backward, with the bias that has no effect and without."""

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


class Block(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(channels, channels, $kernel, padding=$kernel // 2),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
        )

    def forward(self, x: torch.Tensor):
        return self.layers(x)


def run(call, scale, x):
    out = call(x)
    return out.detach(), *torch.autograd.grad(out.sum(), (x, scale))
"""


def arrange(stage: Stage, *, batch: int, channels: int, size: int, kernel: int, dtype: str) -> tuple[Any, ...]:
    import torch

    del kernel
    block = stage.program.Block(channels)
    with torch.no_grad():
        block.layers[0].weight.copy_(
            torch.linspace(-0.1, 0.1, block.layers[0].weight.numel()).view_as(block.layers[0].weight)
        )
    chosen = getattr(torch, dtype)
    x = torch.randn(batch, channels, size, size, device=stage.device, dtype=chosen)
    block = block.to(stage.device, chosen)
    return block.forward, block.layers[1].weight, x.requires_grad_()


def at(call: cst.Call, facts: Facts) -> Mapping[str, object]:
    """The kernel, and the channels where as many go in as come out."""
    given = [
        facts.given(call, name, index) for index, name in enumerate(("in_channels", "out_channels", "kernel_size"))
    ]
    inputs, outputs, kernel = (facts.size(each).value if each is not None else None for each in given)
    return {"kernel": kernel, **({"channels": inputs} if inputs == outputs else {})}


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    at=at,
    parameters={
        "batch": Size(64, small=2, most=1 << 12, shrinks=True),
        "channels": Size(64, small=4, most=4096),
        "size": Size(56, small=6, least=4, most=1024, shrinks=True),
        "kernel": Size(3, small=3, most=31),
        "dtype": Choice("float32", ("float32", "bfloat16", "float16")),
    },
    adverse=False,
    sweep=({"dtype": "bfloat16"}, {"batch": 16, "size": 256}, {"kernel": 1, "channels": 256, "size": 28}),
)
"""Weights that do not depend on how many numbers were drawn before: without a bias fewer are. The method is handed on, not the
block, whose bias would be compared with one that is not there."""
