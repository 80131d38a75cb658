"""A training step whose targets are one-hot vectors of a width that is read from the data, or given."""

from __future__ import annotations

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import STEP, STEPS, Stage

BEFORE = """
import torch
import torch.nn.functional as F


def run(model, optimizer, loader, device: torch.device):
    num_classes = model[0].in_features
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        wanted = F.one_hot(y).float()
        loss = F.binary_cross_entropy_with_logits(model(x), wanted)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.detach()
"""

BENCH = Bench(
    before=BEFORE,
    arrange=Stage.training,
    parameters=STEP,
    steps=STEPS,
    waits=True,
)
