"""A small model trained on rows in memory: picked one by one and stacked, or a batch at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

STEPS = 10

_PROGRAM = """
import torch
import torch.nn.functional as F
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, TensorDataset


class Trainer:
    def __init__(self, model, x: torch.Tensor, y: torch.Tensor, batch: int):
        self.model = model
        rows = TensorDataset(x, y)
        self.loader = #loader
        self.optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def train(self, device: torch.device):
        for x, y in self.loader:
            loss = F.cross_entropy(self.model(x.to(device)), y.to(device))
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
        return loss.detach()


def run(trainer, device: torch.device):
    torch.manual_seed(1)
    return trainer.train(device)
"""


def arrange(stage: Stage, *, batch: int, width: int, depth: int) -> tuple[Any, ...]:
    import torch

    x, y = torch.randn(STEPS * batch, width), torch.randint(0, width, (STEPS * batch,))
    return stage.program.Trainer(stage.mlp(width, depth), x, y, batch), stage.device


BENCH = Bench(
    before=_PROGRAM.replace("#loader", "DataLoader(rows, batch_size=batch)"),
    by_hand=_PROGRAM.replace(
        "#loader", "DataLoader(rows, sampler=BatchSampler(SequentialSampler(rows), batch, False), batch_size=None)"
    ).replace("RandomSampler", "SequentialSampler"),
    arrange=arrange,
    parameters={
        "batch": Size(512, small=4, most=1 << 14, shrinks=True),
        "width": Size(128, small=8, least=2, most=1 << 12, shrinks=True),
        "depth": Size(4, small=2, most=64),
    },
    steps=STEPS,
    needs_cuda=False,
    adverse=False,
    sweep=({"batch": 512, "width": 1024, "depth": 8},),
)
