"""Steps of a training of linear layers in float32, and under autocast: the program whose TF32 is off."""

from __future__ import annotations

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.precision.tf32_off import BEFORE, arrange
from torchperf_lint.verify.benches.stage import STEP, STEPS

AFTER = BEFORE.replace(
    "        loss = F", "        with torch.autocast(device.type, torch.bfloat16):\n            loss = F"
)

BENCH = Bench(
    before=BEFORE,
    by_hand=AFTER,
    arrange=arrange,
    parameters=STEP,
    steps=STEPS,
    adverse=False,
    sweep=({"batch": 128, "width": 512, "depth": 4},),
)
