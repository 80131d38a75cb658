"""One step of an optimizer over many weights: a few kernels for all of them, or one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Choice, Size

if TYPE_CHECKING:
    from collections.abc import Mapping

    import libcst as cst

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
from torch import nn


class Trainer:
    def __init__(self, count: int, width: int):
        self.model = nn.Sequential(*(nn.Linear(width, width) for _ in range(count))).cuda()
        self.optimizer = torch.optim.$optimizer(self.model.parameters(), lr=1e-4, weight_decay=0.01)


def run(trainer: Trainer):
    trainer.optimizer.step()
"""


def arrange(stage: Stage, *, optimizer: str, layers: int, width: int) -> tuple[Any, ...]:
    import torch

    del optimizer
    with stage.device:
        trainer = stage.program.Trainer(layers, width)
    for weight in trainer.model.parameters():
        weight.grad = torch.randn(weight.shape, device=weight.device) * 1e-3
    return (trainer,)


def at(node: cst.Call, facts: Facts) -> Mapping[str, object]:
    """The class of the optimizer."""
    return {"optimizer": (facts.name(node.func) or "").rpartition(".")[2]}


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "optimizer": Choice("AdamW", ("AdamW", "Adam", "SGD")),
        "layers": Size(100, small=3, most=2000, shrinks=True),
        "width": Size(512, small=8, most=1 << 14, shrinks=True),
    },
    at=at,
    sweep=({"layers": 12, "width": 4096}, {"optimizer": "SGD"}),
)
