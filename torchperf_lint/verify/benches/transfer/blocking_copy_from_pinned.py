"""Batches in page-locked memory, copied while the host waits or goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

STEPS = 8

BEFORE = """
import torch


def run(model, loader, device: torch.device):
    total = torch.zeros((), device=device)
    for batch in loader:
        x = batch.pin_memory().to(device)
        total += model(x).sum()
    return total
"""


def arrange(stage: Stage, *, batch: int, width: int) -> tuple[Any, ...]:
    import torch

    model = stage.mlp(width, 4)
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    batches = [torch.randn(batch, width) for _ in range(STEPS)]
    if stage.device.type == "cuda":  # ahead of the step, as a loader's thread does; `pin_memory()` in it is then free
        batches = [batch.pin_memory() for batch in batches]
    return model, stage.loader(batches), stage.device


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "batch": Size(4096, small=3, most=1 << 16, shrinks=True),
        "width": Size(2048, small=8, most=1 << 14, shrinks=True),
    },
    steps=STEPS,
    waits=True,
)
