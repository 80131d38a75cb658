"""Steps of a training of linear layers in float32, and under autocast."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import STEP, STEPS

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
import torch.nn.functional as F
from torch import nn


def run(model, optimizer, loader, device: torch.device):
    for x, y in loader:
        loss = F.cross_entropy(model(x.to(device)), y.to(device))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.detach()


if __name__ == "__main__":
    model = nn.Linear(8, 8).cuda()
    run(model, torch.optim.SGD(model.parameters()), [(torch.rand(8, 8), torch.zeros(8).long())], torch.device("cuda"))
"""

AFTER = BEFORE.replace(
    "        loss = F", "        with torch.autocast(device.type, torch.bfloat16):\n            loss = F"
)


def arrange(stage: Stage, *, batch: int, width: int, depth: int) -> tuple[Any, ...]:
    return stage.training(batch=batch, width=width, depth=depth)


BENCH = Bench(
    before=BEFORE,
    by_hand=AFTER,
    arrange=arrange,
    parameters=STEP,
    steps=STEPS,
    adverse=False,
    sweep=({"batch": 128, "width": 512, "depth": 4},),
)
