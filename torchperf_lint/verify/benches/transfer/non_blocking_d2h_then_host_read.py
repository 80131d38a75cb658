"""A result that is copied to the host and read at once: before it is there, or behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch


def run(model, x: torch.Tensor):
    y = model(x).detach().cuda()
    found = y.to("cpu", non_blocking=True)
    return found.numpy().sum()
"""


def arrange(stage: Stage, *, batch: int, width: int) -> tuple[Any, ...]:
    import torch

    return stage.mlp(width, 4), torch.randn(batch, width).to(stage.device)


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "batch": Size(4096, small=3, most=1 << 16, shrinks=True),
        "width": Size(2048, small=8, most=1 << 14, shrinks=True),
    },
)
