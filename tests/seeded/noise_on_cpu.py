"""Trains a denoiser; the noise and the weights of the loss are made where they are not needed."""

import torch
from torch import nn


def run():
    torch.manual_seed(1)
    model = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, fused=True)
    data = [torch.randn(16, 4) for _ in range(5)]
    losses = []
    for clean in data:
        clean = clean.cuda()
        scale = torch.full((16, 4), 0.5).cuda()  # planted: TPL201
        offset = torch.zeros(4).to("cuda")  # planted: TPL201
        loss = (model(clean * scale + offset) - clean).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses)
