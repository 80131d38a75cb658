"""A product for each item of a batch, one by one and all at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch


def run(x: torch.Tensor, weight: torch.Tensor):
    return torch.stack([x[i] @ weight for i in range(x.shape[0])])
"""

AFTER = """
import torch


def run(x: torch.Tensor, weight: torch.Tensor):
    return x @ weight
"""


def arrange(stage: Stage, *, batch: int, rows: int, width: int) -> tuple[Any, ...]:
    import torch

    return torch.randn(batch, rows, width, device=stage.device), torch.randn(width, width, device=stage.device)


BENCH = Bench(
    before=BEFORE,
    by_hand=AFTER,
    arrange=arrange,
    parameters={
        "batch": Size(64, small=3, most=1 << 14, shrinks=True),
        "rows": Size(64, small=4, most=1 << 14, shrinks=True),
        "width": Size(512, small=8, most=1 << 13, shrinks=True),
    },
    needs_cuda=False,
    adverse=False,
    sweep=({"batch": 16, "rows": 1024},),
)
