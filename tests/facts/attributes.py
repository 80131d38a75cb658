"""Attributes and globals: all that binds them counts, also what is still to run when somebody first asks."""

from dataclasses import dataclass

import torch

scale = torch.zeros(3)  # fact: scale => tensor, rank 1
shift = torch.zeros(3)


class Average:
    def __init__(self):
        self.start = torch.zeros(3, dtype=torch.float64)
        self.total = torch.zeros(3, dtype=torch.float64)
        self.weight = scale
        self.bias = shift

    def add(self, x):
        start = self.start  # fact: start => tensor, proven, float64, rank 1
        before = self.total  # fact: before => tensor, proven
        self.total = torch.stack([before, x])
        return start, before

    def read(self):
        bias, weight = self.bias, self.weight  # fact: bias => tensor, proven, float32, rank 1 && weight => tensor, proven
        return self.total, weight, bias


class Options:
    size: int | list[int] = 224
    rate: float = 0.5

    def read(self):
        return self.size, self.rate  # fact: self.size => number, likely && self.rate => number, likely


average = Average()
first = average.weight
scale = torch.zeros(3, 4)


@dataclass
class Settings:
    device: str = "cuda"
    host: str = "cpu"
    name: str = "run"


def by_settings(settings: Settings):
    x = torch.zeros(3).to(settings.device)  # fact: x => tensor, maybe
    place = torch.device(settings.device)  # fact: place => device, maybe
    other = torch.device(settings.host)  # fact: other => device, no device
    return x, place, other


class Filled:
    """A list that begins empty, and that methods fill."""

    def __init__(self, count: int):
        self.places = []
        self.places.extend(range(count))
        self.places.extend([8, 9])
        self.losses = []
        self.mixed = []
        self.empty = []

    def add(self, x: torch.Tensor, given):
        self.losses.append(x.sum())
        self.mixed.append(x)
        self.mixed.append(given)

    def read(self):
        index = torch.tensor(self.places)  # fact: index => tensor, int64, rank 1
        total = sum(self.losses)
        last = self.losses[-1]  # fact: last => tensor, likely
        first = self.mixed[0]  # fact: first => tensor, likely
        none = torch.tensor(self.empty)  # fact: none => tensor
        return index, total, last, first, none
