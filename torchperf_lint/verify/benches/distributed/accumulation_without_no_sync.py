"""Four batches to a step of the optimizer, with gradients that are averaged over the ranks at each, and at the last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size
from torchperf_lint.verify.benches.stage import STEP

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BATCHES = 8

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
        for i, (x, y) in enumerate(loader):
            x, y = x.to(self.device), y.to(self.device)
            loss = F.cross_entropy(self.model(x), y) / $batches
            loss.backward()
            if (i + 1) % $batches == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
        return loss.detach()


def run(trainer, loader):
    return trainer.train(loader)
"""


def arrange(stage: Stage, *, batches: int, batch: int, width: int, depth: int) -> tuple[Any, ...]:
    del batches
    trainer = stage.program.Trainer(stage.mlp(width, depth), stage.device)
    return trainer, stage.loader(stage.own_batches(BATCHES, batch, width))


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={"batches": Size(4, most=8), **STEP},
    steps=BATCHES,
    needs_cuda=False,
    adverse=False,
    ranks=2,
)
