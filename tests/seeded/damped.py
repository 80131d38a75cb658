"""Damps what is large in a hidden layer, by a read and a write under a mask."""

import torch
from torch import nn


class Damped(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 6)

    def forward(self, x: torch.Tensor):
        hidden = self.body(x)
        large = hidden.detach() > 0.5
        hidden[large] = hidden[large] * 0.1  # planted: TPL110
        return hidden


def run():
    torch.manual_seed(5)
    model = Damped().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, fused=True)
    losses = []
    for _ in range(5):
        loss = model(torch.randn(12, 6, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses)
