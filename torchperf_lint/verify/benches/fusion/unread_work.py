"""A tensor that is worked out at each call, and read where an option is set alone; and one that is worked out there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
from torch import nn


class Router(nn.Module):
    def forward(self, x: torch.Tensor, experts: torch.Tensor, balanced: bool):
        scores = x @ experts
        entropy = -(scores.softmax(1) * scores.log_softmax(1)).sum(1)
        best = scores.amax(1)
        if balanced:
            best = best + entropy
        return best


def run(router, x, experts):
    return router(x, experts, False)
"""

AFTER = BEFORE.replace(
    """        entropy = -(scores.softmax(1) * scores.log_softmax(1)).sum(1)
        best = scores.amax(1)
        if balanced:
            best = best + entropy
""",
    """        best = scores.amax(1)
        if balanced:
            best = best - (scores.softmax(1) * scores.log_softmax(1)).sum(1)
""",
)


def arrange(stage: Stage, *, tokens: int, width: int, experts: int) -> tuple[Any, ...]:
    import torch

    return (
        stage.program.Router(),
        torch.randn(tokens, width, device=stage.device),
        torch.randn(width, experts, device=stage.device),
    )


BENCH = Bench(
    before=BEFORE,
    by_hand=AFTER,
    arrange=arrange,
    parameters={
        "tokens": Size(16384, small=8, most=1 << 18, shrinks=True),
        "width": Size(1024, small=4, most=1 << 13, shrinks=True),
        "experts": Size(64, small=3, most=1 << 12, shrinks=True),
    },
    needs_cuda=False,
    adverse=False,
    sweep=({"tokens": 512},),
)
