"""A forward pass that looks for NaN behind each layer, with a wait, or remembers that there was one."""

from __future__ import annotations

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import STEP, STEPS, Stage

BEFORE = """
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, width: int, depth: int):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.register_buffer("broken", torch.zeros((), dtype=torch.bool), persistent=False)

    def forward(self, x: torch.Tensor):
        for layer in self.layers:
            x = layer(torch.relu(x))
            if torch.isnan(x).any():
                raise ValueError("NaN")
        return x


def run(model, optimizer, loader, device: torch.device):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.detach()
"""

BY_HAND = """
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, width: int, depth: int):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.register_buffer("broken", torch.zeros((), dtype=torch.bool), persistent=False)

    def forward(self, x: torch.Tensor):
        for layer in self.layers:
            x = layer(torch.relu(x))
            self.broken |= torch.isnan(x).any()
        return x


def run(model, optimizer, loader, device: torch.device):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    if model.broken:
        raise ValueError("NaN")
    return loss.detach()
"""

BENCH = Bench(
    before=BEFORE,
    arrange=Stage.training,
    parameters=STEP,
    steps=STEPS,
    waits=True,
    by_hand=BY_HAND,
)
