"""Normalises images with constants that are copied to the GPU for each batch."""

import torch
from torch import nn


class Normalised(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 2)

    def forward(self, x: torch.Tensor):
        mean = torch.tensor([0.4, 0.5, 0.6], device=x.device)  # planted: TPL202
        return self.body(x - mean)


def run():
    torch.manual_seed(13)
    model = Normalised().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, fused=True)
    losses = []
    for _ in range(5):
        loss = model(torch.randn(9, 3, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses)
