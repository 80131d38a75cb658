"""Epochs of a few batches, with workers that end with each, and with workers that stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify import shown
from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

EPOCHS = 3

BEFORE = """
import torch
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, data, batch: int, device):
        self.device = device
        self.loader = DataLoader(data, batch_size=batch, num_workers=$workers)

    def run_epoch(self):
        total = 0.0
        for (x,) in self.loader:
            total = total + x.to(self.device).sum()
        return total


def run(trainer, epochs: int):
    for _ in range(epochs):
        last = trainer.run_epoch()
    return last
"""


def arrange(stage: Stage, *, items: int, batch: int, workers: int) -> tuple[Any, ...]:
    import torch
    from torch.utils.data import TensorDataset

    del workers
    data = TensorDataset(torch.rand(items, 64))
    return stage.program.Trainer(data, batch, stage.device), EPOCHS


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "items": Size(2048, small=8, most=1 << 20, shrinks=True),
        "batch": Size(64, small=4, most=4096),
        "workers": Size(4, most=16),
    },
    steps=EPOCHS,
    at=shown.loader,
    needs_cuda=False,
    adverse=False,
)
