"""Trains in bfloat16."""

import torch
from torch import nn


def run():
    torch.manual_seed(19)
    model = nn.Linear(4, 2).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, fused=True)
    losses = []
    for _ in range(5):
        x = torch.randn(9, 4, device="cuda")
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = model(x).float().square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses)
