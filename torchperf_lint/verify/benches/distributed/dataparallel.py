"""A batch that one process spreads over two GPUs, and two processes with half of it each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import STEP, STEPS

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

RANKS = 2

BEFORE = """
import torch
import torch.nn.functional as F
from torch import nn


class Trainer:
    def __init__(self, model, rank: int):
        self.rank = rank
        self.model = nn.DataParallel(model)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-3)

    def train(self, loader):
        loss = torch.zeros(())
        for x, y in loader if self.rank == 0 else ():
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
        return [p.detach().sum() for p in self.model.parameters()] if self.rank == 0 else []


def run(trainer, loader):
    return trainer[0].train(loader)
"""
AFTER = """
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self, model, rank: int):
        self.rank = rank
        self.model = DDP(model, gradient_as_bucket_view=True)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-3)

    def train(self, loader):
        for x, y in loader:
            x, y = x.chunk(2)[self.rank], y.chunk(2)[self.rank]
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
        return [p.detach().sum() for p in self.model.parameters()] if self.rank == 0 else []


def run(trainer, loader):
    return trainer[0].train(loader)
"""


def arrange(stage: Stage, *, batch: int, width: int, depth: int) -> tuple[Any, ...]:
    trainer = stage.program.Trainer(stage.mlp(width, depth), stage.rank)
    return frozenset((trainer,)), stage.loader(stage.batches(STEPS, RANKS * batch, width))


BENCH = Bench(
    before=BEFORE.replace("trainer[0]", "next(iter(trainer))"),
    by_hand=AFTER.replace("trainer[0]", "next(iter(trainer))"),
    arrange=arrange,
    parameters=STEP,
    steps=STEPS,
    adverse=False,
    ranks=RANKS,
)
