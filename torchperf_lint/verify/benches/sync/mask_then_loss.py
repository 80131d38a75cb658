"""A loss over the labels that count: others are left out by a mask, or by the loss itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

STEPS = 2

BEFORE = """
import torch
import torch.nn.functional as F
from torch import nn


class Loss(nn.Module):
    def forward(self, pred: torch.Tensor, target: torch.Tensor):
        mask = target != 255
        return F.cross_entropy(pred[mask], target[mask])


def run(model, loss_of: Loss, loader, device: torch.device):
    for x, target in loader:
        x, target = x.to(device), target.to(device)
        loss = loss_of(model(x), target)
        model.zero_grad()
        loss.backward()
    return loss.detach()
"""


def arrange(stage: Stage, *, batch: int, width: int, classes: int) -> tuple[Any, ...]:
    import torch
    from torch import nn

    model = nn.Linear(width, classes).to(stage.device)
    batches = []
    for _ in range(STEPS):
        target = torch.randint(0, classes, (batch,))
        target[torch.rand(batch) < 0.2] = 255
        batches.append((torch.randn(batch, width, device=stage.device), target.to(stage.device)))
    return model, stage.program.Loss(), stage.loader(batches), stage.device


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "batch": Size(262_144, small=6, least=0, most=1 << 24, shrinks=True),
        "width": Size(64, small=8, most=1 << 14),
        "classes": Size(20, small=5, most=255),
    },
    steps=STEPS,
    waits=True,
    sweep=({"batch": 8192, "classes": 100},),
)
