"""A training step in float16 whose scaler reads a flag on the host, or leaves it to a fused optimizer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Choice
from torchperf_lint.verify.benches.stage import STEP, STEPS

if TYPE_CHECKING:
    from collections.abc import Mapping

    import libcst as cst

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
import torch.nn.functional as F
from torch import nn


class Trainer:
    def __init__(self, layers: nn.ModuleList):
        self.model = nn.Sequential(*layers).cuda()
        self.optimizer = torch.optim.$optimizer(self.model.parameters(), lr=1e-4)
        self.scaler = torch.amp.GradScaler("cuda")

    def train(self, loader):
        for x, y in loader:
            x, y = x.cuda(), y.cuda()
            with torch.autocast("cuda", dtype=torch.float16):
                loss = F.cross_entropy(self.model(x), y)
            self.optimizer.zero_grad()
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
        return loss


def run(trainer: Trainer, loader):
    return trainer.train(loader).detach()
"""


def arrange(stage: Stage, *, optimizer: str, **sizes: int) -> tuple[Any, ...]:
    del optimizer
    model, _, loader, _ = stage.training(**sizes)
    return stage.program.Trainer(list(model)), loader


def at(node: cst.Call, facts: Facts) -> Mapping[str, object]:
    """The class of the optimizer that is stepped."""
    made = facts.value(node.args[0].value) if node.args else None
    if made is None or not made.known or not isinstance(made.value.ref, str):
        return {}
    return {"optimizer": made.value.ref.rpartition(".")[2]}


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={"optimizer": Choice("AdamW", ("AdamW", "Adam", "SGD")), **STEP},
    at=at,
    steps=STEPS,
    waits=True,
)
