import functools

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader


# doc: The model is compiled where it is called
def train(model, dataset, optimizer):
    model.cuda()
    for x, y in DataLoader(dataset, batch_size=64):
        loss = F.cross_entropy(torch.compile(model)(x.cuda()), y.cuda())  # expect: TPL701 @ torch.compile(model)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# case: in forward, and with options
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)

    def forward(self, x):
        return torch.compile(self.body, mode="max-autotune")(x)  # expect: TPL701 @ torch.compile(self.body, mode="max-autotune")


def train(loader, optimizer):
    net = Net().cuda()
    for x in loader:
        net(x.cuda()).sum().backward()
        optimizer.step()


# case: traced at every step of an inference
def predict(model, loader):
    with torch.inference_mode():
        for x in DataLoader(loader):
            x = x.cuda()
            yield torch.jit.trace(model, x)(x)  # expect: TPL701 @ torch.jit.trace(model, x)


# case: a helper that every step calls
def faster(module):
    return torch.jit.script(module)  # expect: TPL701 @ torch.jit.script(module)


def train(model, loader, optimizer):
    for x in loader:
        faster(model)(x.cuda()).mean().backward()
        optimizer.step()


# ok: compiled once, before the loop, by a decorator, in the constructor
@torch.compile
def loss_of(x, y):
    return F.cross_entropy(x, y)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.compile(nn.Linear(8, 8))

    def forward(self, x):
        return self.body(x)


def train(model, loader, optimizer):
    model = torch.compile(model.cuda())
    for x, y in loader:
        loss_of(model(x.cuda()), y.cuda()).backward()
        optimizer.step()


# ok: the first call compiles, and keeps it
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.fast = None
        self.by_shape = {}

    def forward(self, x):
        if self.fast is None:
            self.fast = torch.compile(self.body)
        if x.shape not in self.by_shape:
            self.by_shape[x.shape] = torch.jit.trace(self.body, x)
        if not hasattr(self, "other"):
            self.other = torch.jit.script(self.body)
        return self.fast(x) + self.by_shape[x.shape](x) + self.other(x)


def train(loader, optimizer):
    net = Net().cuda()
    for x in loader:
        net(x.cuda()).sum().backward()
        optimizer.step()


# ok: what is compiled is kept by a cache
@functools.lru_cache
def compiled(name):
    return torch.compile(getattr(F, name))


@functools.cache
def kernel():
    return torch.compile(F.relu)


def train(model, loader, optimizer):
    for x in loader:
        kernel()(compiled("gelu")(model(x.cuda()))).sum().backward()
        optimizer.step()


# ok: once an epoch, once a model, and others that are called so
import re


def train(models, loader, optimizer):
    for model in models:
        fast = torch.compile(model.cuda())
        for epoch in range(9):
            for x in loader:
                pattern = re.compile("x")
                fast(x.cuda()).sum().backward()
                optimizer.step()


# ok: a comparison of ways to compile
def bench(model, x):
    for mode in ("default", "reduce-overhead"):
        fast = torch.compile(model.cuda(), mode=mode)
        for _ in range(100):
            fast(x)
