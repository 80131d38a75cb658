"""A training step of a model of which the compiled form was dropped, and one of a model that was compiled where it is."""

from __future__ import annotations

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import COMPILED, STEPS, Stage

BEFORE = """
import torch
import torch.nn.functional as F
from torch import nn


class Body(nn.Module):
    def __init__(self, width: int, depth: int):
        super().__init__()
        blocks = (layer for _ in range(depth) for layer in (nn.LayerNorm(width), nn.Linear(width, width), nn.GELU()))
        self.blocks = nn.Sequential(*blocks)

    def forward(self, x: torch.Tensor):
        return x + self.blocks(x)


class Net(nn.Module):
    def __init__(self, width: int, depth: int):
        super().__init__()
        self.body = Body(width, depth)
        torch.compile(self.body)

    def forward(self, x: torch.Tensor):
        return self.body(x)


def run(model, optimizer, loader, device: torch.device):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.detach()
"""

BENCH = Bench(
    before=BEFORE,
    arrange=Stage.training,
    parameters=COMPILED,
    steps=STEPS,
    compiles=True,
    needs_cuda=False,
    adverse=False,
)
