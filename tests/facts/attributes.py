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


class Ranks:
    """What a method brings to the GPU for its own work is on the host for all others."""

    def __init__(self, use_cuda: bool):
        self.use_cuda = use_cuda
        self.ranks = torch.zeros(8)
        self.kept = torch.zeros(8)
        self.other = torch.zeros(8)
        self.left = torch.zeros(8)
        self.seen = torch.zeros(8)
        self.stay = torch.zeros(8)

    def evaluate(self, batches):
        use_cuda = self.use_cuda
        if use_cuda:
            self.ranks = self.ranks.cuda()
            self.other = self.other.cuda()
        self.kept = self.kept.cuda()
        for batch in batches:
            self.ranks[batch] = 1
        inside = self.ranks  # fact: inside => tensor, maybe
        if use_cuda:
            last = self.ranks  # fact: last => tensor, maybe
            self.ranks = self.ranks.cpu()  # fact: self.ranks.cpu() => wait
        if self.stay.sum() > 0:
            self.other = self.other.cpu()
        self.kept = self.kept.cpu()
        return inside, last

    def leave(self, batches):
        self.left = self.left.cuda()
        if not batches:
            return
        self.left = self.left.cpu()

    def hand_on(self):
        self.seen = self.seen.cuda()
        self.read()
        self.seen = self.seen.cpu()

    def read(self):
        ranks = self.ranks  # fact: ranks => tensor, cpu
        kept = self.kept  # fact: kept => tensor, cpu
        other = self.other  # fact: other => tensor, maybe
        left = self.left  # fact: left => tensor, maybe
        seen = self.seen  # fact: seen => tensor, maybe
        return ranks, kept, other, left, seen


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mask = torch.nn.Parameter(torch.ones(3))


class Stack(torch.nn.Module):
    def __init__(self, depth: int):
        super().__init__()
        self.layers = []
        for _ in range(depth):
            self.layers.append(Layer())
        self.layers = torch.nn.ModuleList(self.layers)

    def forward(self, x, i: int):
        return x * self.layers[i].mask  # fact: self.layers[i].mask => tensor, rank 1
