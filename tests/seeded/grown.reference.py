"""Gathers the outputs of a model."""

import torch
from torch import nn


@torch.no_grad()
def predict(model: nn.Module, loader):
    model.eval()
    return torch.cat([model(x.cuda()) for x in loader])


def run():
    torch.manual_seed(9)
    model = nn.Linear(4, 3).cuda()
    return predict(model, [torch.randn(5, 4) for _ in range(6)])
