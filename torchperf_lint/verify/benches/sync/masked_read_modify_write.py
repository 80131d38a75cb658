"""Elements under a mask are scaled: gathered and put back, or chosen."""

from __future__ import annotations

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import STEP, STEPS, Stage, in_forward

BEFORE = in_forward("""
        high = x > 2
        kept = x * 1.0
        kept[high] *= 0.5
        x = kept
""")

BENCH = Bench(
    before=BEFORE,
    arrange=Stage.training,
    parameters=STEP,
    steps=STEPS,
    waits=True,
)
