"""A training on items that take Python a while: made between the steps, or by workers beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify import shown
from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

STEPS = 12

_PROGRAM = """
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, count: int, size: int, micros: int):
        self.count, self.size, self.micros = count, size, micros

    def __len__(self):
        return self.count

    def transform(self, index: int):
        end = time.perf_counter() + self.micros / 1e6
        while time.perf_counter() < end:
            pass
        return torch.full((3, self.size, self.size), float(index))

    def __getitem__(self, index: int):
        return self.transform(index)


class Trainer:
    def __init__(self, model, count: int, size: int, micros: int, batch: int):
        self.model = model
        self.loader = DataLoader(Images(count, size, micros), batch_size=batch, #workers)

    def train(self):
        device = next(self.model.parameters()).device
        for x in self.loader:
            last = self.model(x.to(device)).sum()
            last.backward()
            self.model.zero_grad()
        return last.detach()


def run(trainer):
    return trainer.train()
"""


def arrange(stage: Stage, *, batch: int, size: int, micros: int) -> tuple[Any, ...]:
    from torch import nn

    model = nn.Sequential(nn.Conv2d(3, 64, 7, 2), nn.ReLU(), nn.Conv2d(64, 64, 3), nn.ReLU(), nn.Conv2d(64, 8, 3)).to(
        stage.device
    )
    return (stage.program.Trainer(model, STEPS * batch, size, micros, batch),)


BENCH = Bench(
    before=_PROGRAM.replace("#workers", "num_workers=0"),
    by_hand=_PROGRAM.replace("#workers", "num_workers=8, persistent_workers=True"),
    arrange=arrange,
    parameters={
        "batch": Size(32, small=2, most=4096, shrinks=True),
        "size": Size(224, small=16, least=16, most=1024, shrinks=True),
        "micros": Size(1000, small=10, most=1_000_000),
    },
    steps=STEPS,
    at=shown.loader,
    needs_cuda=False,
    adverse=False,
)
