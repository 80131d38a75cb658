"""A file for export: its modules are traced once, whatever they are called for elsewhere."""

import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self, model, height, width):
        super().__init__()
        self.model = model
        self.size = (width, height)

    def forward(self, x):
        size = torch.tensor(self.size, device=x.device)  # fact: torch.tensor(self.size, device=x.device) => ONCE
        return self.model(x) / size


def train(model, loader, optimizer):
    for x in loader:
        model(x).sum().backward()
        optimizer.step()  # fact: optimizer.step() => STEP
