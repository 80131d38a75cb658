"""A checkpoint of a model on a GPU, loaded back onto it and to the CPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import io

import torch
from torch import nn


def save(model: nn.Module):
    held = io.BytesIO()
    torch.save({"model": model.state_dict()}, held)
    return held


def run(model: nn.Module, held: io.BytesIO, device: torch.device):
    model.to(device)
    held.seek(0)
    state = torch.load(held)
    model.load_state_dict(state["model"])
    return next(model.parameters()).detach().clone()
"""


def arrange(stage: Stage, *, width: int, depth: int) -> tuple[Any, ...]:
    model = stage.mlp(width, depth)
    return model, stage.program.save(model), stage.device


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "width": Size(2048, small=16, least=8, most=1 << 14, shrinks=True),
        "depth": Size(12, small=2, most=128),
    },
)
