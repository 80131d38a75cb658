"""Convolutions with synchronised batch norms, whose buffers are broadcast at every step, and are not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size
from torchperf_lint.verify.benches.stage import STEPS

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        layers = [nn.Sequential(nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU()) for _ in range(depth)]
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x).mean((2, 3))


class Trainer:
    def __init__(self, width, depth, device: torch.device):
        model = nn.SyncBatchNorm.convert_sync_batchnorm(Net(width, depth)).to(device)
        self.device = device
        self.model = DDP(model, gradient_as_bucket_view=True)
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
    import torch

    draw = torch.Generator(stage.device).manual_seed(1 + stage.rank)
    classes = torch.arange(batch, device=stage.device) % width
    images = [torch.randn(batch, width, 16, 16, generator=draw, device=stage.device) for _ in range(STEPS)]
    return stage.program.Trainer(width, depth, stage.device), stage.loader([(x, classes) for x in images])


BENCH = Bench(
    before=BEFORE,
    by_hand=BEFORE.replace("gradient_as_bucket_view=True)", "gradient_as_bucket_view=True, broadcast_buffers=False)"),
    arrange=arrange,
    parameters={
        "batch": Size(64, small=4, least=2, most=4096, shrinks=True),
        "width": Size(64, small=8, least=2, most=1024, shrinks=True),
        "depth": Size(50, small=2, most=256),
    },
    steps=STEPS,
    adverse=False,
    ranks=2,
)
