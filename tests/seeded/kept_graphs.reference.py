"""Keeps each loss for a plot."""

import torch
from torch import nn


def run():
    torch.manual_seed(7)
    model = nn.Linear(4, 1).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, fused=True)
    losses = []
    for _ in range(6):
        x = torch.randn(10, 4, device="cuda")
        loss = (model(x).squeeze(1) - x.sum(1)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    kept = torch.stack(losses)
    return kept, kept.sum()
