"""An evaluation that records a graph nobody uses, and one that does not: what it costs is memory."""

from __future__ import annotations

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import STEP, STEPS, Stage

BEFORE = """
import torch


def run(model, optimizer, loader, device: torch.device):
    return evaluate(model, loader, device)


def evaluate(model, loader, device):
    model.eval()
    right = torch.zeros((), dtype=torch.int64, device=device)
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        right += (model(x).argmax(-1) == y).sum()
    return right
"""

BENCH = Bench(
    before=BEFORE,
    arrange=Stage.training,
    parameters=STEP,
    steps=STEPS,
)
