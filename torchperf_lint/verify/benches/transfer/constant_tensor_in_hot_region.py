"""A constant that is copied to the GPU in every step, or made there."""

from __future__ import annotations

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import STEP, STEPS, Stage, in_forward

BEFORE = in_forward("""
        x = x * torch.tensor(0.5, dtype=torch.float32, device=x.device)
""")

BENCH = Bench(
    before=BEFORE,
    arrange=Stage.training,
    parameters=STEP,
    steps=STEPS,
    waits=True,
)
