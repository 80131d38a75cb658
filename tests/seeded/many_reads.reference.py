"""Reads the scores of each batch at once."""

import torch
from torch import nn


@torch.no_grad()
def scores_of(model: nn.Module, loader):
    model.eval()
    found = []
    for x in loader:
        found += [round(score, 3) for score in model(x.cuda()).flatten().tolist()]
    return found


def run():
    torch.manual_seed(12)
    return scores_of(nn.Linear(4, 4).cuda(), [torch.randn(5, 4) for _ in range(4)])
