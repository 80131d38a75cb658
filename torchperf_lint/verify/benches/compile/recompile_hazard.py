"""A training step whose compiled model counts in a number of its own, and one that counts in a tensor."""

from __future__ import annotations

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import COMPILED, STEPS, Stage

BEFORE = """
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, width: int, depth: int):
        super().__init__()
        self.layers = nn.Sequential(*(layer for _ in range(depth) for layer in (nn.Linear(width, width), nn.ReLU())))
        self.steps = 0

    @torch.compile
    def forward(self, x: torch.Tensor):
        self.steps += 1
        return self.layers(x)


def run(model, optimizer, loader, device: torch.device):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.detach()
"""
COUNTER = 'self.register_buffer("steps", torch.zeros((), dtype=torch.long), persistent=False)'
AFTER = BEFORE.replace("self.steps = 0", COUNTER)

BENCH = Bench(
    before=BEFORE, by_hand=AFTER, arrange=Stage.training, parameters=COMPILED, steps=STEPS, compiles=True, needs_cuda=False,
    adverse=False,
)  # fmt: skip
