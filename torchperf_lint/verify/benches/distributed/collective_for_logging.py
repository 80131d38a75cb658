"""A loss that is averaged over the ranks and read at every step, and one that is averaged where it is logged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import STEP, STEPS

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


class Writer:
    def add_scalar(self, name, value, step):
        self.last = value


class Trainer:
    def __init__(self, model, device: torch.device):
        self.device = device
        self.writer = Writer()
        self.model = DDP(model, gradient_as_bucket_view=True)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-3)

    def train(self, loader):
        for step, (x, y) in enumerate(loader):
            x, y = x.to(self.device), y.to(self.device)
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            shown = loss.detach().clone()
            dist.all_reduce(shown)
            mean = shown.item() / dist.get_world_size()
            if step % 5 == 4:
                self.writer.add_scalar("loss", mean, step)
        return self.writer.last


def run(trainer, loader):
    return trainer.train(loader)
"""
_EACH = """\
            shown = loss.detach().clone()
            dist.all_reduce(shown)
            mean = shown.item() / dist.get_world_size()
            if step % 5 == 4:
                self.writer.add_scalar("loss", mean, step)
"""
_THERE = """\
            if step % 5 == 4:
                shown = loss.detach().clone()
                dist.all_reduce(shown)
                self.writer.add_scalar("loss", shown.item() / dist.get_world_size(), step)
"""


def arrange(stage: Stage, *, batch: int, width: int, depth: int) -> tuple[Any, ...]:
    trainer = stage.program.Trainer(stage.mlp(width, depth), stage.device)
    return trainer, stage.loader(stage.own_batches(STEPS, batch, width))


BENCH = Bench(
    before=BEFORE,
    by_hand=BEFORE.replace(_EACH, _THERE),
    arrange=arrange,
    parameters=STEP,
    steps=STEPS,
    waits=True,
    needs_cuda=False,
    adverse=False,
    ranks=2,
)
