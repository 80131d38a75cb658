"""Batches in pageable memory: copied as they are, and page-locked first in the step itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

STEPS = 8

BEFORE = """
import torch


def run(model, buffers, width: int, device: torch.device):
    for buffer in buffers:
        batch = torch.frombuffer(buffer, dtype=torch.float32).view(-1, width)
        x = batch.to(device, non_blocking=True)
        loss = model(x).mean()
        model.zero_grad()
        loss.backward()
    return loss.detach()
"""


def arrange(stage: Stage, *, batch: int, width: int) -> tuple[Any, ...]:
    model = stage.mlp(width, 2)
    return model, [bytearray(range(64)) * (batch * width // 16) for _ in range(STEPS)], width, stage.device


BENCH = Bench(
    before=BEFORE,
    by_hand=BEFORE.replace("batch.to(", "batch.pin_memory().to("),
    arrange=arrange,
    parameters={
        "batch": Size(8192, small=3, most=1 << 16, shrinks=True),
        "width": Size(2048, small=8, most=1 << 14, shrinks=True),
    },
    steps=STEPS,
    adverse=False,
)
