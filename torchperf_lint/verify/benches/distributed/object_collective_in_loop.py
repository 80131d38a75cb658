"""Losses of all ranks that are gathered as objects at every step, and as tensors."""

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


class Trainer:
    def __init__(self, model, device: torch.device):
        self.device = device
        self.model = DDP(model, gradient_as_bucket_view=True)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-3)

    def train(self, loader):
        kept = []
        for x, y in loader:
            x, y = x.to(self.device), y.to(self.device)
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            shown = loss.detach()
            losses = [None] * dist.get_world_size()
            dist.all_gather_object(losses, shown)
            kept.append(torch.stack([each.to(self.device) for each in losses]))
        return torch.stack(kept)


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
    waits=True,
    needs_cuda=False,
    adverse=False,
    ranks=2,
)
