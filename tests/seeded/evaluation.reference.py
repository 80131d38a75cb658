"""Evaluates a model."""

import torch
import torch.nn.functional as F
from torch import nn


@torch.no_grad()
def evaluate(model: nn.Module, loader):
    model.eval()
    losses = [F.cross_entropy(model(x.cuda()), y.cuda()) for x, y in loader]
    return torch.stack(losses).double().mean().item()


def run():
    torch.manual_seed(6)
    model = nn.Sequential(nn.Linear(5, 8), nn.Dropout(0.5), nn.Linear(8, 3)).cuda()
    loader = [(torch.randn(8, 5), torch.randint(0, 3, (8,))) for _ in range(4)]
    return evaluate(model, loader)
