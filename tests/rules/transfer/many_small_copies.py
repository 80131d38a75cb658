import numpy as np
import torch
from torch import nn


# doc: A list of arrays
class Trend(nn.Module):
    def __init__(self, length: int, degree: int):
        super().__init__()
        steps = np.linspace(0, 1, length)
        self.register_buffer("basis", torch.tensor([steps**i for i in range(degree)], dtype=torch.float32))  # expect: TPL211 @ torch.tensor([steps**i for i in range(degree)], dtype=torch.float32)


# case: results that go to the CPU one by one
@torch.no_grad()
def features(model: nn.Module, loader):
    found = []
    for x in loader:
        found.append(model(x.cuda()).cpu())  # expect: TPL211 @ model(x.cuda()).cpu()
    return torch.cat(found)


# case: a few arrays by name
def pair(x: np.ndarray, y: np.ndarray):
    return torch.as_tensor([x, y])  # expect: TPL211 @ torch.as_tensor([x, y])


# ok: one array, numbers, tensors
def one(x: np.ndarray, sizes: list[int], rows: list[torch.Tensor]):
    return torch.tensor(x), torch.tensor([2 * each for each in sizes]), torch.stack([row * 2 for row in rows])


# ok: numbers out of an array
def few(x: np.ndarray):
    return torch.tensor([x.shape[0], x.shape[1]]), torch.tensor([float(x[0]), float(x[1])])


# ok: numbers of a table, one after the other
def spiral(size: int):
    table, order = np.arange(size * size).reshape(size, size), []
    for i in range(size):
        order.append(table[i, size - i - 1])
    return torch.tensor(order)


# ok: they are looked at one by one, and not joined
@torch.no_grad()
def show(model: nn.Module, loader, sink):
    found = []
    for x in loader:
        found.append(model(x.cuda()).cpu())
    for each in found:
        sink.write(each)


# ok: they are on the CPU
def host(rows: list[int]):
    found = []
    for row in rows:
        found.append(torch.full((3,), row).cpu())
    return torch.cat(found)


# ok: each is one number, which a function of the program counts
def swaps(order: list[int]):
    count = 0
    for a, b in zip(order, order[1:]):
        count += a > b
    return count + np.sum([each > 3 for each in order])


def distances(orders: torch.Tensor):
    return torch.tensor([swaps(each.tolist()) for each in orders.cpu()])


# ok: numbers of NumPy
class Borders:
    def fit(self, y: np.ndarray, margin: float):
        self.level = y[0] if np.unique(y).size == 1 else None
        return torch.tensor([self.level - margin, self.level + margin])
