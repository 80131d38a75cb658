"""A tensor out of a list of arrays: number by number, and as one block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import numpy as np
import torch


def run(count: int, length: int, device):
    steps = np.linspace(0, 1, length)
    return torch.tensor([steps * i for i in range(count)], dtype=torch.float32).to(device)
"""


def arrange(stage: Stage, *, arrays: int, length: int) -> tuple[Any, ...]:
    return arrays, length, stage.device


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={"arrays": Size(64, small=2, most=1 << 16, shrinks=True), "length": Size(1000, small=4, most=1 << 20)},
    needs_cuda=False,
    adverse=False,
)
