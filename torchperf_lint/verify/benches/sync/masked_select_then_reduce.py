"""A mean over what a mask selects, and one that weighs by the mask."""

from __future__ import annotations

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import STEP, STEPS, Stage, in_forward

BEFORE = in_forward("""
        high = x > 0
        x = x - x[high].mean()
""")

BENCH = Bench(
    before=BEFORE,
    arrange=Stage.training,
    parameters=STEP,
    steps=STEPS,
    waits=True,
)
