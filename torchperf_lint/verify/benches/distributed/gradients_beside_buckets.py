"""A training step whose gradients are copied into the buckets over which they are averaged: what it costs is memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import STEP, STEPS

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self, model, device: torch.device):
        self.device = device
        self.model = DDP(model)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-3)

    def train(self, loader):
        for x, y in loader:
            x, y = x.to(self.device), y.to(self.device)
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
        return loss.detach()


def run(trainer, loader):
    return trainer.train(loader)
"""


def arrange(stage: Stage, *, batch: int, width: int, depth: int) -> tuple[Any, ...]:
    trainer = stage.program.Trainer(stage.mlp(width, depth), stage.device)
    return trainer, stage.loader(stage.own_batches(STEPS, batch, width))


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters=STEP,
    steps=STEPS,
    needs_cuda=False,
    adverse=False,
    ranks=2,
)
