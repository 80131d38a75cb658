"""A module with a table that does not move with it."""

import torch
from torch import nn


class Positional(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.table = torch.linspace(0, 1, 12).reshape(3, 4)

    def forward(self, x: torch.Tensor):
        return self.body(x) + self.table.to(x.device)  # planted: TPL203


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
