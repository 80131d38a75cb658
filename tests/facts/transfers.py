"""Page-locked memory, buffers that go with their module, and what a cache keeps."""

from functools import lru_cache

import torch
from torch import nn


def made(n: int):
    a = torch.empty(n, pin_memory=True)  # fact: a => tensor, pinned, proven
    b = torch.tensor([1.0], pin_memory=True)  # fact: b => tensor, pinned
    c = torch.empty(n, pin_memory=False)  # fact: c => tensor, cpu
    d = torch.zeros(n, device="cuda", pin_memory=False)  # fact: d => tensor, cuda
    e = torch.full((n,), 1.0).pin_memory()  # fact: e => tensor, pinned
    return a, b, c, d, e


class Kept(nn.Module):
    def __init__(self, n: int):
        super().__init__()
        self.grid = nn.Buffer(torch.arange(n), persistent=False)
        self.table = torch.arange(n)

    @lru_cache(maxsize=None)
    def on(self, device):
        table = self.table.to(device)  # fact: self.table.to(device) => ONCE
        return table

    def part(self, n):
        return self.table[:n]  # fact: self.table[:n] => INNER

    def forward(self, x):
        grid = self.grid  # fact: grid => tensor, int64, no device
        table = self.table  # fact: table => tensor, int64, cpu
        return x + grid + table + self.on(x.device) + self.part(3)
