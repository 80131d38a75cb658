"""Trains with a debugging aid that somebody left on, and with a wait at every step that nobody needs."""

import torch
from torch import nn


def run():
    torch.manual_seed(8)
    torch.autograd.set_detect_anomaly(True)  # planted: TPL404
    model = nn.Linear(4, 2).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)  # planted: TPL605
    losses = []
    for _ in range(5):
        loss = model(torch.randn(9, 4, device="cuda")).square().mean()
        optimizer.zero_grad(set_to_none=False)  # planted: TPL606
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses)
