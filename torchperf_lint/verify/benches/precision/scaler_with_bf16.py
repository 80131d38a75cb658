"""A training step in bfloat16, with a gradient scaler and with one that is switched off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import STEP, STEPS

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
import torch.nn.functional as F


def run(model, optimizer, loader, device: torch.device):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    return loss.detach()
"""

MEANT = "the scaler skips a step whose gradients are not finite"


def arrange(stage: Stage, **sizes: int) -> tuple[Any, ...]:
    import torch

    model, _, loader, device = stage.training(**sizes)
    return model, torch.optim.AdamW(model.parameters(), lr=1e-4), loader, device


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters=STEP,
    steps=STEPS,
    waits=True,
    unlike={"NaN": MEANT, "infinity": MEANT},
)
