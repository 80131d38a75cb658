import torch
from torch import nn


# doc: A table that the module leaves behind
class Rotary(nn.Module):
    def __init__(self, width, length):
        super().__init__()
        self.proj = nn.Linear(width, width)
        angles = torch.outer(torch.arange(length).float(), 1.0 / 10000 ** (torch.arange(0, width, 2) / width))
        self.angles = torch.cat([angles, angles], dim=-1)

    def forward(self, x):
        angles = self.angles[: x.shape[1]]
        cos = self.angles.to(x.device).cos()  # expect: TPL203 @ self.angles.to(x.device)
        return self.proj(x) * cos + angles.shape[0]


# case: all forms of a move, in several methods
class Normalized(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, 8, 3)
        self.mean = torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1)  # of ImageNet
        self.std = torch.tensor([0.229, 0.224, 0.225]).view(1, 3, 1, 1)
        self.steps = torch.arange(10)
        self.scale = torch.ones(3)

    def normalize(self, x):
        return (x - self.mean.to(x)) / self.std.type_as(x)  # expect: TPL203 @ self.mean.to(x) && TPL203 @ self.std.type_as(x)

    def forward(self, x: torch.Tensor):
        steps = self.steps.cuda()  # expect: TPL203 @ self.steps.cuda()
        scale = self.scale.to(device=x.device, dtype=x.dtype)  # expect: TPL203 @ self.scale.to(device=x.device, dtype=x.dtype)
        return self.conv(self.normalize(x)) * scale.sum() + steps.sum() + self.std.numel()


# case: a module without parameters is moved by nobody, so the move stays
class Weighted(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.weight = torch.linspace(0.5, 1.0, classes)

    def forward(self, x, y):
        return nn.functional.cross_entropy(x, y, weight=self.weight.to(x.device))  # expect: TPL203 @ self.weight.to(x.device)


# case: one that moves its parts itself is moved by nobody else, so the move stays
class Placed(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.device = torch.device("cuda")
        self.net = nn.Conv2d(3, 8, 3)
        self.net.to(self.device)
        self.mean = torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1)

    def forward(self, x):
        x = x.to(self.device)
        return self.net(x - self.mean.to(self.device))  # expect: TPL203 @ self.mean.to(self.device)


# case: an older torch has no buffers that are not saved
# set: target-torch = "1.4"
class OfOld(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(8, 8)
        self.grid = torch.arange(8)

    def forward(self, x):
        return self.proj(x) + self.grid.to(x.device)  # expect: TPL203 @ self.grid.to(x.device)


# case: only a part of it is moved
class Parted(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.grid = torch.arange(n)
        self.proj = nn.Linear(n, n)

    def forward(self, x):
        return self.proj(x) + self.grid[: x.shape[1]].to(x.device)  # expect: TPL203 @ self.grid[: x.shape[1]].to(x.device)


# ok: a buffer, and a parameter
class Registered(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("grid", torch.arange(n), persistent=False)
        self.bias = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return x + self.grid.to(x.device) + self.bias.to(x.device)


# ok: a buffer in the words of newer versions, and what a cache keeps for each device
from functools import lru_cache


class Newer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.grid = nn.Buffer(torch.arange(n), persistent=False)
        self.table = torch.arange(n)
        self.proj = nn.Linear(n, n)

    @lru_cache(maxsize=None)
    def table_on(self, device):
        return self.table.to(device)

    def forward(self, x):
        return self.proj(x) + self.grid.to(x.device) + self.table_on(x.device)


# ok: complex numbers, and what the author says is no buffer
class Angles(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.proj = nn.Linear(n, n)
        self.turns = torch.polar(torch.ones(n), torch.arange(n).float())
        # no buffer, since those would be cast by `.half()`
        self.exact = torch.arange(n) / n

    def forward(self, x):
        return self.proj(x) * self.turns.to(x.device) + self.exact.to(x.device)


# ok: it is copied once, and kept
class Cached(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.grid = torch.arange(n)

    def forward(self, x):
        if self.grid.device != x.device:
            self.grid = self.grid.to(x.device)
        return x + self.grid


# ok: tensors in a list, of which there is no buffer
class Levels(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.grids = [torch.arange(size) for size in sizes]

    def forward(self, x):
        return [x + grid.to(x.device) for grid in self.grids] + [self.grids[0].to(x.device)]


# ok: it was put on the device by `__init__`, or nobody knows where it is
class Placed(nn.Module):
    def __init__(self, n, device, weight):
        super().__init__()
        self.grid = torch.arange(n).to(device)
        self.other = torch.zeros(n, device="cuda")
        self.weight = weight

    def forward(self, x):
        return x + self.grid.to(x.device) + self.other.to(x.device) + self.weight.to(x.device)


# case: no module, so there are no buffers, but it is copied all the same
class GridLoss:
    def __init__(self, n):
        self.grid = torch.arange(n)

    def __call__(self, x):
        return x + self.grid.to(x.device)  # expect: TPL203 @ self.grid.to(x.device)


# case: what generation calls for each token, by what it is given
class Expansion:
    def __init__(self, words):
        self.bias = torch.zeros((1, words)) - 8192.0
        for word in range(7):
            self.bias[0, word] = 0

    def processor(self, input_ids, scores):
        bias = self.bias.to(scores).clone()  # expect: TPL203 @ self.bias.to(scores)
        bias[0, input_ids[0].long()] = -8192.0
        return scores + bias


# ok: an object that keeps the copy, one that is given the device, and one that nothing calls often
class Kept:
    def __init__(self, n, device):
        self.grid = torch.arange(n)
        self.there = torch.arange(n, device=device)

    def warm_up(self, input_ids, scores):
        self.grid = self.grid.to(scores.device)
        return scores + self.there.to(scores.device)


class Report:
    def __init__(self, n):
        self.grid = torch.arange(n)

    def totals(self, x):
        return x + self.grid.to(x.device)


# ok: only the dtype changes, and moves on the host
class Casting(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.grid = torch.arange(n)

    def forward(self, x):
        return x + self.grid.to(torch.float32).sum().to(x.dtype), self.grid.to("cpu")


# ok: once, when the module is made ready
class Prepared(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.grid = torch.arange(n)

    def setup(self, device):
        return self.grid.to(device)

    def forward(self, x):
        return x


# missed: an attribute of something else
class Outer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.inner = Cached(n)

    def forward(self, x):
        return x + self.inner.grid.to(x.device)


class Cached(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.grid = torch.arange(n)
