"""A training step with and without the search for NaN."""

from __future__ import annotations

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import STEP, STEPS, Stage

BEFORE = """
import torch
import torch.nn.functional as F


def run(model, optimizer, loader, device: torch.device):
    torch.autograd.set_detect_anomaly(True)
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.detach()


if torch.cuda.is_available():
    print("on", torch.cuda.get_device_name())
"""

MEANT = "raising an error at the first NaN is what the aid is for"

BENCH = Bench(
    before=BEFORE,
    arrange=Stage.training,
    parameters=STEP,
    steps=STEPS,
    needs_cuda=False,
    unlike={"NaN": MEANT, "infinity": MEANT},
)
