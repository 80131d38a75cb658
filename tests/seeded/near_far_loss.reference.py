"""A loss that treats near and far errors apart."""

import torch
from torch import nn


class Loss(nn.Module):
    def forward(self, guess: torch.Tensor, target: torch.Tensor):
        error = guess - target
        return torch.where(error.abs() < 1, error.pow(2), error.abs()).sum()


def run():
    torch.manual_seed(3)
    model = nn.Linear(3, 3).cuda()
    criterion = Loss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, fused=True)
    losses = []
    for _ in range(6):
        x = torch.randn(10, 3, device="cuda")
        loss = criterion(model(x), 2 * x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses)
