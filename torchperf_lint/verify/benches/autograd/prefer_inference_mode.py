"""Tokens of a small model, one by one: under `no_grad` and under `inference_mode`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

TOKENS = 8

BEFORE = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width: int, depth: int):
        super().__init__()
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(width, 8, 4 * width, dropout=0.0, batch_first=True) for _ in range(depth)
        )

    def forward(self, x: torch.Tensor):
        for layer in self.layers:
            x = x + layer.linear2(torch.relu(layer.linear1(layer.norm1(x))))
        return x


@torch.no_grad()
def generate(model: nn.Module, x: torch.Tensor, tokens: int):
    for _ in range(tokens):
        new = model(x[:, -1:])
        x = torch.cat([x, new], dim=1)
    return x


def run(model, x, tokens: int):
    return generate(model, x, tokens).clone()
"""


def arrange(stage: Stage, *, batch: int, width: int, depth: int) -> tuple[Any, ...]:
    import torch

    with stage.device:
        model = stage.program.Net(width, depth)
    return model.eval(), torch.randn(batch, 16, width, device=stage.device), TOKENS


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "batch": Size(1, most=1 << 10),
        "width": Size(512, small=16, least=8, most=1 << 13, shrinks=True),
        "depth": Size(12, small=2, most=128),
    },
    steps=TOKENS,
    needs_cuda=False,
    adverse=False,
)
