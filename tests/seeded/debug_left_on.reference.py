"""Trains."""

import torch
from torch import nn


def run():
    torch.manual_seed(8)
    model = nn.Linear(4, 2).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, fused=True)
    losses = []
    for _ in range(5):
        loss = model(torch.randn(9, 4, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses)
