"""Takes some columns of a hidden layer by a slice."""

import torch
from torch import nn


class Picked(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 6)

    def forward(self, x: torch.Tensor):
        return self.body(x)[:, 1:3]


def run():
    torch.manual_seed(18)
    model = Picked().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, fused=True)
    losses = []
    for _ in range(5):
        loss = model(torch.randn(9, 4, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses)
