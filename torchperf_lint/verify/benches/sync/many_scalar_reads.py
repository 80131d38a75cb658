"""A training step that reads its largest losses one by one, or all at once."""

from __future__ import annotations

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import STEP, STEPS, Stage

BEFORE = """
import torch
import torch.nn.functional as F


def run(model, optimizer, loader, device: torch.device):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        losses = F.cross_entropy(model(x), y, reduction="none")
        losses.mean().backward()
        hardest = losses.detach().flatten().topk(4).values
        shown = [value.item() for value in hardest]
        optimizer.step()
        optimizer.zero_grad()
    return shown
"""

BENCH = Bench(
    before=BEFORE,
    arrange=Stage.training,
    parameters=STEP,
    steps=STEPS,
    waits=True,
)
