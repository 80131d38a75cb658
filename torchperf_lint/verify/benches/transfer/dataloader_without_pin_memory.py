"""Batches of a loader with workers, copied to the GPU from pageable or from page-locked memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify import shown
from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

STEPS = 16

BEFORE = """
import torch
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, count: int, size: int):
        self.count = count
        self.image = torch.randn(3, size, size)

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return self.image + index


class Trainer:
    def __init__(self, model, images: Images, batch: int):
        self.model = model
        self.loader = DataLoader(images, batch_size=batch, num_workers=$workers, persistent_workers=True)

    def train(self):
        total = 0.0
        for x in self.loader:
            x = x.to("cuda")
            total += self.model(x).sum().double()
        return total


def run(trainer: Trainer):
    return trainer.train()
"""


def arrange(stage: Stage, *, batch: int, size: int, workers: int) -> tuple[Any, ...]:
    from torch import nn

    del workers
    model = nn.Conv2d(3, 8, 3, stride=2).to(stage.device)
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    return (stage.program.Trainer(model, stage.program.Images(STEPS * batch, size), batch),)


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "batch": Size(64, small=2, most=4096, shrinks=True),
        "size": Size(224, small=8, least=3, most=2048, shrinks=True),
        "workers": Size(4, most=16),
    },
    at=shown.loader,
    steps=STEPS,
    adverse=False,
)
