"""A training step whose compiled model asks a tensor which way to go, and reads a number; and one that chooses with tensors."""

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
        self.first = nn.Linear(width, width)
        self.rest = nn.Sequential(*(layer for _ in range(depth - 1) for layer in (nn.ReLU(), nn.Linear(width, width))))

    @torch.compile
    def forward(self, x: torch.Tensor):
        x = F.relu(self.first(x))
        if x.abs().max() > 100:
            x = x * 0.5
        scale = x.std().item()
        return self.rest(x / (x + scale))


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
