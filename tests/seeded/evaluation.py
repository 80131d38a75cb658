"""Evaluates a model, with gradients on and a number read for each batch."""

import torch
import torch.nn.functional as F
from torch import nn


def evaluate(model: nn.Module, loader):
    model.eval()
    total = 0.0
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        total += F.cross_entropy(model(x), y).item()  # planted: TPL401 TPL101
    return total / len(loader)


def run():
    torch.manual_seed(6)
    model = nn.Sequential(nn.Linear(5, 8), nn.Dropout(0.5), nn.Linear(8, 3)).cuda()
    loader = [(torch.randn(8, 5), torch.randint(0, 3, (8,))) for _ in range(4)]
    return evaluate(model, loader)
