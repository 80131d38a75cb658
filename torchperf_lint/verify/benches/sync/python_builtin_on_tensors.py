"""A training step whose loss is the larger of two: Python compares them, or the GPU does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import STEP, STEPS, in_forward

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage


def arrange(stage: Stage, *, batch: int, width: int, depth: int) -> tuple[Any, ...]:
    return stage.training(batch=batch, width=width, depth=depth)


BENCH = Bench(
    before=in_forward("""
        largest = max(x.abs().mean(), x.square().mean())
        x = x / (largest + 1)
"""),
    arrange=arrange,
    parameters=STEP,
    steps=STEPS,
    waits=True,
    adverse=False,
)
