"""A masked write behind a look at its mask, and one without."""

from __future__ import annotations

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import STEP, STEPS, Stage, in_forward

BEFORE = in_forward("""
        high = x > 2
        if high.any():
            x[high] = 2.0
""")

BENCH = Bench(
    before=BEFORE,
    arrange=Stage.training,
    parameters=STEP,
    steps=STEPS,
    waits=True,
)
