"""What is on the host by the way it came about, and branches that nobody in sight takes."""

from collections.abc import Sequence

import torch
from elsewhere import converted, placed
from torch import Tensor, nn


def window(sizes: Sequence[int], device=None):
    shape = converted(sizes, int, wrap=True)
    count = torch.prod(shape)  # fact: shape => tensor, cpu, likely
    ones = torch.ones(count)  # fact: torch.ones(count) => no wait
    there = placed(sizes, device=device)
    total = torch.prod(there)  # fact: there => tensor, no device
    other = converted(there, 3)
    rest = torch.prod(other)  # fact: other => tensor, no device
    return ones, total, rest


def folded(x: Tensor, shape: Tensor):
    if isinstance(shape, tuple):
        height, width = shape
    elif isinstance(shape, Tensor):
        height, width = int(shape[0]), int(shape[1])  # fact: int(shape[0]) => no wait
    return x.view(height, width)


def stretched(x: Tensor, shape: Tensor):
    if isinstance(shape, Tensor):
        return x.view(int(shape[0]), int(shape[1]))  # fact: int(shape[0]) => wait
    return x


class Net(nn.Module):
    def forward(self, x: Tensor, y: Tensor):
        return folded(x, y.shape) + stretched(x, y)
