"""Targets that NumPy made float64: the copy, and a loss of what a model says and them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

STEPS = 4

BEFORE = """
import numpy as np
import torch
import torch.nn.functional as F


def run(model, x: torch.Tensor, batch: int, width: int, device: torch.device):
    for _ in range(4):
        array = np.ones((batch, width))
        wanted = torch.from_numpy(array).to(device)
        loss = F.l1_loss(model(x), wanted)
        model.zero_grad()
        loss.backward()
    return loss.detach().float()
"""


def arrange(stage: Stage, *, batch: int, width: int) -> tuple[Any, ...]:
    import torch

    x = torch.randn(batch, width, device=stage.device)
    return stage.mlp(width, 2), x, batch, width, stage.device


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "batch": Size(4096, small=3, most=1 << 16, shrinks=True),
        "width": Size(1024, small=8, most=1 << 14, shrinks=True),
    },
    steps=STEPS,
    adverse=False,
)
