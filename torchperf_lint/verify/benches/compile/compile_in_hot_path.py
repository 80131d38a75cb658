"""A training step that asks for its compiled model each time, and one that keeps it."""

from __future__ import annotations

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import COMPILED, STEPS, Stage

BEFORE = """
import torch
import torch.nn.functional as F


def run(model, optimizer, loader, device: torch.device):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = F.cross_entropy(torch.compile(model)(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.detach()
"""

AFTER = """
import torch
import torch.nn.functional as F


def run(model, optimizer, loader, device: torch.device):
    compiled = torch.compile(model)
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = F.cross_entropy(compiled(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.detach()
"""

BENCH = Bench(
    before=BEFORE, by_hand=AFTER, arrange=Stage.training, parameters=COMPILED, steps=STEPS, compiles=True, needs_cuda=False,
    adverse=False,
)  # fmt: skip
