"""Drops hits by a mask."""

import torch
from torch import nn


@torch.no_grad()
def hits(model: nn.Module, loader):
    model.eval()
    counts = []
    for x in loader:
        scores = model(x.cuda())
        counts.append(torch.where(scores > 0, 0.0, scores).sum())
    return torch.stack(counts)


def run():
    torch.manual_seed(17)
    return hits(nn.Linear(4, 4).cuda(), [torch.randn(5, 4) for _ in range(4)])
