"""A module with a table that moves with it."""

import torch
from torch import nn


class Positional(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.register_buffer("table", torch.linspace(0, 1, 12).reshape(3, 4), persistent=False)

    def forward(self, x: torch.Tensor):
        return self.body(x) + self.table


def run():
    torch.manual_seed(14)
    model = Positional().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, fused=True)
    losses = []
    for _ in range(5):
        loss = model(torch.randn(9, 3, 4, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses)
