"""A whole training step of segmentation whose loss leaves labels out: a chain of waits, each hiding the next.

The background class and a marked label do not count, and a batch with one label alone gives no loss. Written with
indices, distinct values and boolean masks, every one of which makes the host wait; the cures of several rules together
leave none. The device clock tells what the GPU saves, the host clock what the whole step does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

STEPS = 3

HEAD = """
import torch
import torch.nn.functional as F
from torch import nn

BACKGROUND, IGNORED = 9, -1


class Net(nn.Module):
    def __init__(self, channels: int, layers: int):
        super().__init__()
        widths = [3] + [channels] * (layers + 1)
        pairs = zip(widths[:-1], widths[1:])
        self.body = nn.Sequential(*(part for a, b in pairs for part in (nn.Conv2d(a, b, 3, padding=1), nn.ReLU())))
        self.head = nn.Conv2d(channels, 10, 3, padding=1)

    def forward(self, x: torch.Tensor):
        return self.head(self.body(x))
"""

TRAIN = """

def run(model, optimizer, loader, device: torch.device):
    for images, labels in loader:
        images, labels = images.to(device), labels.to(device).clone()
        loss = loss_of(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.detach()
"""

BEFORE = (
    HEAD
    + """

def loss_of(scores: torch.Tensor, labels: torch.Tensor):
    background = torch.nonzero(labels == BACKGROUND, as_tuple=True)
    labels[background] = IGNORED
    too_few = torch.unique(labels).numel() < 2
    counts = labels != IGNORED
    last = scores.permute(0, 2, 3, 1)
    chosen = last[counts.unsqueeze(-1).expand(-1, -1, -1, 10)].reshape(-1, 10)
    loss = F.cross_entropy(chosen, labels[counts])
    if too_few:
        loss = 0.0 * loss
    return loss
"""
    + TRAIN
)

BY_HAND = (
    HEAD
    + """

def loss_of(scores: torch.Tensor, labels: torch.Tensor):
    labels[labels == BACKGROUND] = IGNORED
    too_few = labels.flatten().sort().values.diff().count_nonzero() + 1 < 2
    loss = F.cross_entropy(scores, labels, ignore_index=IGNORED)
    return torch.where(too_few, 0.0 * loss, loss)
"""
    + TRAIN
)


def arrange(stage: Stage, *, batch: int, size: int, channels: int, layers: int) -> tuple[Any, ...]:
    import torch

    model = stage.program.Net(channels, layers).to(stage.device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
    batches = [
        (
            torch.randn(batch, 3, size, size, device=stage.device),
            torch.randint(-1, 10, (batch, size, size), device=stage.device),
        )
        for _ in range(STEPS)
    ]
    return model, optimizer, stage.loader(batches), stage.device


BENCH = Bench(
    before=BEFORE,
    by_hand=BY_HAND,
    arrange=arrange,
    parameters={
        "batch": Size(256, small=2, most=4096, shrinks=True),
        "size": Size(256, small=8, most=2048, shrinks=True),
        "channels": Size(10, small=4, most=512),
        "layers": Size(10, small=2, most=64),
    },
    steps=STEPS,
    waits=True,
    sweep=({"batch": 8, "size": 64},),
)
