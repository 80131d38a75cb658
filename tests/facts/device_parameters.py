"""Devices that are parameters: whether those who have a GPU name it."""

from typing import Optional

import torch
from torch import nn


def documented(loader, net, device="cpu"):
    """Train a network.

    :param device: "cuda" or "cpu", defaults to "cpu"
    """
    for x in loader:
        x = x.to(device)  # fact: x.to(device) => wait
        net(x).backward()


def undocumented(loader, net, device="cpu"):
    """Train a network."""
    for x in loader:
        x = x.to(device)  # fact: x.to(device) => no wait
        net(x).backward()


def required(loader, model, device: Optional[str]):
    for x, y in loader:
        x = x.to(device)  # fact: x.to(device) => wait
        y = y.to(device)
        known = torch.ge(y, 0)
        if known.any():  # fact: known => tensor, maybe
            model(x[known])


def left_out(loader, model, device: Optional[str] = None):
    for x, y in loader:
        x = x.to(device)  # fact: x.to(device) => no wait
        model(x)


class Base(nn.Module):
    def __init__(self, device="cpu", gpus=None):
        super().__init__()
        self.device = device
        self.gpus = gpus
        self.first = nn.Linear(3, 3)
        self.to(device)  # fact: self.to(device) => wait

    def fit(self, loader):
        for x in loader:
            x = x.to(self.device)  # fact: x.to(self.device) => wait
            self(x.unsqueeze(0)).mean().backward()


class Derived(Base):
    def __init__(self, device="cpu", gpus=None):
        super().__init__(device, gpus)
        self.second = nn.Linear(3, 3, device=device)
        self.to(device)  # fact: self.to(device) => no wait


class Table(nn.Module):
    def __init__(self, n: int, rows, device=torch.device("cpu")):
        super().__init__()
        steps = torch.arange(n)
        self.register_buffer("steps", steps.float().to(device))  # fact: steps.float().to(device) => wait
        self.register_buffer("rows", made(rows).to(device))  # fact: made(rows).to(device) => wait
        there = torch.zeros(n).to(device)
        self.register_buffer("there", there.to(device))  # fact: there.to(device) => no wait
        self.register_buffer("here", torch.zeros(n).to("cpu"))  # fact: torch.zeros(n).to("cpu") => no wait

    def forward(self, x, device=torch.device("cpu")):
        return x + torch.zeros(3).to(device)  # fact: torch.zeros(3).to(device) => no wait


class Unplaced(nn.Module):
    def __init__(self, n: int, rows, device=None):
        super().__init__()
        self.register_buffer("steps", torch.arange(n).to(device))  # fact: torch.arange(n).to(device) => no wait
        self.register_buffer("rows", made(rows).to(device))  # fact: made(rows).to(device) => no wait


class Row:
    def __init__(self, row, device="cpu"):
        self.row = row.to(device)  # fact: row.to(device) => no wait
