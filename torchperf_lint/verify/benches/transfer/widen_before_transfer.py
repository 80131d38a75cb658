"""Images as bytes, made floats on the host before the copy, or on the GPU behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from torchperf_lint.verify.bench import Bench, Choice, Size

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.verify.benches.stage import Stage

STEPS = 4

BEFORE = """
import torch


def run(model, buffers, size: int, device: torch.device):
    for buffer in buffers:
        images = torch.frombuffer(buffer, dtype=torch.$dtype).view(-1, 3, size, size)
        loss = model(images.float().to(device)).mean()
        model.zero_grad()
        loss.backward()
    return loss.detach()
"""


def arrange(stage: Stage, *, batch: int, size: int, dtype: str) -> tuple[Any, ...]:
    import torch
    from torch import nn

    model = nn.Conv2d(3, 8, 3, stride=2).to(stage.device)
    count = batch * 3 * size * size * getattr(torch, dtype).itemsize
    return (
        model,
        [bytearray(range(256)) * (count // 256) + bytearray(count % 256) for _ in range(STEPS)],
        size,
        stage.device,
    )


def at(node: cst.Call, facts: Facts) -> Mapping[str, object]:
    """The dtype of what is made wider."""
    moved = node.func.value if isinstance(node.func, cst.Attribute) else None
    match moved:
        case cst.Call(func=cst.Attribute(value=source)):
            held = facts.tensor(source)
            return {"dtype": held.value.dtype} if held.known else {}
    return {}


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "batch": Size(128, small=2, most=1 << 14, shrinks=True),
        "size": Size(224, small=8, least=3, most=4096, shrinks=True),
        "dtype": Choice("uint8", ("uint8", "int16")),
    },
    at=at,
    steps=STEPS,
)
