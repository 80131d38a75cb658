"""Images as bytes, made floats on the host before the copy, or on the GPU behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Choice, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch


def run(size: int, batch: int, device: torch.device):
    images = torch.full((batch, 3, size, size), 7, dtype=torch.$dtype)
    return images.float().to(device)
"""


def arrange(stage: Stage, *, batch: int, size: int, dtype: str) -> tuple[Any, ...]:
    del dtype
    return size, batch, stage.device


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "batch": Size(128, small=2, least=0, most=1 << 14, shrinks=True),
        "size": Size(224, small=4, least=0, most=4096, shrinks=True),
        "dtype": Choice("uint8", ("uint8", "int16", "float64")),
    },
)
