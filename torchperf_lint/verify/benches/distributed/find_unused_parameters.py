"""A model of 64 layers that is searched for unused parameters at every step, and one that is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size
from torchperf_lint.verify.benches.stage import STEPS

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

LAYERS = range(64)
_MADE = "\n".join(f"        self.layer{number} = nn.Linear(width, width)" for number in LAYERS)
_RUN = "\n".join(f"        x = self.layer{number}(x).relu()" for number in LAYERS)

BEFORE = f"""
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self, width: int):
        super().__init__()
{_MADE}

    def forward(self, x):
{_RUN}
        return x


class Trainer:
    def __init__(self, width: int, device: torch.device):
        self.device = device
        model = Net(width).to(device)
        self.model = DDP(model, gradient_as_bucket_view=True, find_unused_parameters=True)
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


def arrange(stage: Stage, *, batch: int, width: int) -> tuple[Any, ...]:
    trainer = stage.program.Trainer(width, stage.device)
    return trainer, stage.loader(stage.own_batches(STEPS, batch, width))


BENCH = Bench(
    before=BEFORE,
    by_hand=BEFORE.replace(", find_unused_parameters=True", ""),
    arrange=arrange,
    parameters={
        "batch": Size(256, small=4, most=1 << 16, shrinks=True),
        "width": Size(512, small=16, least=2, most=1 << 14, shrinks=True),
    },
    steps=STEPS,
    needs_cuda=False,
    adverse=False,
    ranks=2,
    sweep=({"batch": 2048, "width": 2048},),
)
