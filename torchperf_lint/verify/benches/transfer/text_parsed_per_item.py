"""A training on clouds of points, each in a file: text, or the numbers themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

STEPS = 16

_PROGRAM = """
import tempfile
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Clouds(Dataset):
    def __init__(self, folder: Path, count: int):
        self.folder, self.count = folder, count

    def __len__(self):
        return self.count

    def __getitem__(self, index: int):
        points = #read
        return torch.from_numpy(points.astype(np.float32))


class Trainer:
    def __init__(self, model, count: int, lines: int, batch: int):
        self.model = model
        self.kept = tempfile.TemporaryDirectory()
        folder = Path(self.kept.name)
        for index in range(count):
            points = np.random.default_rng(index).normal(size=(lines, 6)).astype(np.float32)
            np.savetxt(folder / f"{index}.txt", points, fmt="%.6f", delimiter=",")
            np.save(folder / f"{index}.npy", points)
        self.loader = DataLoader(Clouds(folder, count), batch_size=batch, num_workers=4, persistent_workers=True)

    def train(self):
        device = next(self.model.parameters()).device
        for x in self.loader:
            last = self.model(x.to(device)).amax(1).sum()
            last.backward()
            self.model.zero_grad()
        return last.detach()


def run(trainer):
    return trainer.train()
"""


def arrange(stage: Stage, *, batch: int, lines: int) -> tuple[Any, ...]:
    from torch import nn

    model = nn.Sequential(nn.Linear(6, 64), nn.ReLU(), nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 1024)).to(
        stage.device
    )
    return (stage.program.Trainer(model, STEPS * batch, lines, batch),)


BENCH = Bench(
    before=_PROGRAM.replace("#read", 'np.loadtxt(self.folder / f"{index}.txt", delimiter=",")'),
    by_hand=_PROGRAM.replace("#read", 'np.load(self.folder / f"{index}.npy")'),
    arrange=arrange,
    parameters={
        "batch": Size(24, small=2, most=4096, shrinks=True),
        "lines": Size(1000, small=10, most=100_000, shrinks=True),
    },
    steps=STEPS,
    needs_cuda=False,
    adverse=False,
)
