"""Statistics of a batch that are sent over the host and gloo, and from GPU to GPU."""

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


def start():
    dist.init_process_group("nccl")


class Trainer:
    def __init__(self, model, device: torch.device):
        self.device = device
        self.model = DDP(model, gradient_as_bucket_view=True)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-3)
        self.group = dist.new_group(backend="gloo")

    def train(self, loader):
        for x, y in loader:
            x, y = x.to(self.device), y.to(self.device)
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            seen = x.amax(0).cpu()
            dist.broadcast(seen, src=0, group=self.group)
            seen = seen.to(self.device)
        return loss.detach(), seen


def run(trainer, loader):
    return trainer.train(loader)
"""
_AFTER = (
    BEFORE.replace(".cpu()\n", "\n")
    .replace("src=0, group=self.group", "src=0")
    .replace("            seen = seen.to(self.device)\n", "")
)


def arrange(stage: Stage, *, batch: int, width: int, depth: int) -> tuple[Any, ...]:
    trainer = stage.program.Trainer(stage.mlp(width, depth), stage.device)
    return trainer, stage.loader(stage.own_batches(STEPS, batch, width))


BENCH = Bench(
    before=BEFORE,
    by_hand=_AFTER,
    arrange=arrange,
    parameters=STEP,
    steps=STEPS,
    waits=True,
    adverse=False,
    ranks=2,
)
