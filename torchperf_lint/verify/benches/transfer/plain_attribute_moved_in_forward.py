"""A table that is moved to the GPU in every step, or once with its module."""

from __future__ import annotations

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import STEP, STEPS, Stage, in_forward

BEFORE = in_forward(
    """
        x = x * self.scale.to(x.device)
""",
    made="""
        self.scale = torch.linspace(0.5, 1.5, width)
""",
)

BENCH = Bench(
    before=BEFORE,
    arrange=Stage.training,
    parameters=STEP,
    steps=STEPS,
    waits=True,
)
