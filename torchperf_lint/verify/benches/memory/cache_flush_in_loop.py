"""A training step that flushes memory each time, and one that does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from torchperf_lint.verify.bench import Bench, Choice
from torchperf_lint.verify.benches.stage import STEP, STEPS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.verify.benches.stage import Stage

FLUSHES = ("torch.cuda.empty_cache", "torch.cuda.ipc_collect", "gc.collect")
BEFORE = """
import gc

import torch
import torch.nn.functional as F


def run(model, optimizer, loader, device: torch.device):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        $flush()
    return loss.detach()
"""


def arrange(stage: Stage, *, flush: str, **sizes: int) -> tuple[Any, ...]:
    del flush
    return stage.training(**sizes)


def at(node: cst.Call, facts: Facts) -> Mapping[str, object]:
    return {"flush": facts.name(node.func)}


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "flush": Choice("torch.cuda.empty_cache", FLUSHES),
        **STEP,
    },
    at=at,
    steps=STEPS,
    sweep=({"flush": "torch.cuda.ipc_collect"}, {"flush": "gc.collect"}),
)
