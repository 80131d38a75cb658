"""Columns are set to a number through their indices."""

from __future__ import annotations

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import STEP, STEPS, Stage, in_forward

BEFORE = in_forward("""
        dropped = torch.randperm(8, device=x.device)[:2]
        kept = x * 1.0
        kept[:, dropped] = 0.0
        x = kept
""")

BENCH = Bench(
    before=BEFORE,
    arrange=Stage.training,
    parameters=STEP,
    steps=STEPS,
    waits=True,
)
