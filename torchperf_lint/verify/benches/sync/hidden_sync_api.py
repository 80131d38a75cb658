"""A training step that turns points by the inverse of poses, with the check whether these are singular and without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import STEP, STEPS

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
import torch.nn.functional as F


def run(model, optimizer, loader, pose: torch.Tensor, device: torch.device):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        poses = pose.to(device).expand(8, 4, 4)
        moved = torch.linalg.inv(poses)
        loss = F.cross_entropy(model(x), y) + moved.mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.detach()
"""


def arrange(stage: Stage, **sizes: int) -> tuple[Any, ...]:
    import torch

    *given, device = stage.training(**sizes)
    return (*given, torch.eye(4, device=device) * 2, device)


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters=STEP,
    steps=STEPS,
    waits=True,
    adverse=False,
)
