"""A model that is sharded as one piece, and one whose blocks are sharded each by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench
from torchperf_lint.verify.benches.stage import STEP, STEPS

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
import torch.nn.functional as F
from torch import nn
from torch.distributed.fsdp import fully_shard


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down(F.relu(self.up(x)))


class Net(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


class Trainer:
    def __init__(self, width, depth, device: torch.device):
        with device:
            model = Net(width, depth)
        fully_shard(model)
        self.hidden = [model]
        self.device = device
        self.optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def train(self, loader):
        for x, y in loader:
            x, y = x.to(self.device), y.to(self.device)
            loss = F.cross_entropy(self.hidden[0](x), y)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
        return loss.detach()


def run(trainer, loader):
    return next(iter(trainer)).train(loader)
"""
_ROOT = "        fully_shard(model)\n"
_BLOCKS = "        for block in model.blocks:\n            fully_shard(block)\n        fully_shard(model)\n"


def arrange(stage: Stage, *, batch: int, width: int, depth: int) -> tuple[Any, ...]:
    trainer = stage.program.Trainer(width, depth, stage.device)
    return frozenset((trainer,)), stage.loader(stage.own_batches(STEPS, batch, width))


BENCH = Bench(
    before=BEFORE,
    by_hand=BEFORE.replace(_ROOT, _BLOCKS),
    arrange=arrange,
    parameters=STEP,
    steps=STEPS,
    adverse=False,
    ranks=2,
)
