"""Convolutions, BatchNorm and ReLU in half precision, forward and backward: with channels apart, and side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Choice, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
        )

    def forward(self, x: torch.Tensor):
        return self.layers(x)


def prepare(model):
    return model


def run(model, x):
    with torch.autocast(x.device.type, torch.$dtype, enabled="$dtype" != "float32"):
        out = model(x)
    return out.detach(), *torch.autograd.grad(out.float().sum(), (x,))


if __name__ == "__main__":
    net = prepare(Net(64).cuda())
    net(torch.rand(1, 64, 8, 8, device="cuda")).sum().backward()
"""

AFTER = BEFORE.replace("    return model\n", "    return model.to(memory_format=torch.channels_last)\n", 1)


def arrange(stage: Stage, *, batch: int, channels: int, size: int, dtype: str) -> tuple[Any, ...]:
    import torch

    del dtype
    model = stage.program.prepare(stage.program.Net(channels).to(stage.device))
    return model, torch.randn(batch, channels, size, size, device=stage.device).requires_grad_()


BENCH = Bench(
    before=BEFORE,
    by_hand=AFTER,
    arrange=arrange,
    parameters={
        "batch": Size(64, small=2, most=1 << 12, shrinks=True),
        "channels": Size(128, small=8, most=4096),
        "size": Size(56, small=6, least=4, most=1024, shrinks=True),
        "dtype": Choice("bfloat16", ("bfloat16", "float32")),
    },
    adverse=False,
    sweep=({"channels": 512, "size": 14}, {"dtype": "float32"}),
)
