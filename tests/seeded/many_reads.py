"""Reads the scores of each batch one by one."""

import torch
from torch import nn


@torch.no_grad()
def scores_of(model: nn.Module, loader):
    model.eval()
    found = []
    for x in loader:
        scores = model(x.cuda()).flatten()
        found += [round(score.item(), 3) for score in scores]  # planted: TPL107
    return found


def run():
    torch.manual_seed(12)
    return scores_of(nn.Linear(4, 4).cuda(), [torch.randn(5, 4) for _ in range(4)])
