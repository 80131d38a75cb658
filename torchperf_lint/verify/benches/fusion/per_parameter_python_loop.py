"""A moving average of the weights of a model: two kernels for each parameter, or a few for all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch


@torch.no_grad()
def run(ema, model, decay: float):
    for e, p in zip(ema.parameters(), model.parameters()):
        e.mul_(decay).add_(p, alpha=1 - decay)
"""


def arrange(stage: Stage, *, layers: int, width: int) -> tuple[Any, ...]:
    return stage.mlp(width, layers), stage.mlp(width, layers), 0.999


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "layers": Size(100, small=3, most=2000, shrinks=True),
        "width": Size(512, small=8, most=1 << 14, shrinks=True),
    },
    sweep=({"layers": 12, "width": 4096},),
)
