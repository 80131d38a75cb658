"""Counts hits by finding where they are."""

import torch
from torch import nn


@torch.no_grad()
def hits(model: nn.Module, loader):
    model.eval()
    counts = []
    for x in loader:
        scores = model(x.cuda())
        places = torch.nonzero(scores > 0, as_tuple=True)  # planted: TPL111
        scores[places] = 0.0
        counts.append(scores.sum())
    return torch.stack(counts)


def run():
    torch.manual_seed(17)
    return hits(nn.Linear(4, 4).cuda(), [torch.randn(5, 4) for _ in range(4)])
