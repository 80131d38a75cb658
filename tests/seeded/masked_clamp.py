"""Mends the outliers of each batch, if there are any, before it trains on them."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 6)

    def forward(self, x: torch.Tensor):
        hidden = self.body(x)
        broken = hidden > 1
        if broken.any():  # planted: TPL104
            hidden[broken] = 1.0
        return hidden


def run():
    torch.manual_seed(2)
    model = Net().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, fused=True)
    losses = []
    for _ in range(5):
        loss = model(torch.randn(12, 6, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses)
