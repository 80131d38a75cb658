from functools import partial

import torch
from torch import nn
from torch.utils.data import DataLoader


# doc: Workers for each epoch
def train(model: nn.Module, data, optimizer):
    loader = DataLoader(data, batch_size=64, num_workers=4)  # expect: TPL210 @ DataLoader
    for epoch in range(10):
        for x in loader:
            model(x.cuda()).sum().backward()
            optimizer.step()


# case: the number is a setting, and each epoch is a function
class Trainer:
    def __init__(self, model: nn.Module, data, workers: int):
        self.model = model
        settings = {"batch_size": 8, "num_workers": workers}
        self.loader = DataLoader(data, num_workers=workers)  # expect: TPL210 @ DataLoader
        self.other = torch.utils.data.DataLoader(data, **settings)  # expect: TPL210 @ torch.utils.data.DataLoader

    def run_epoch(self):
        for x in self.loader:
            self.model(x)

    def validate(self):
        for x in self.other:
            self.model(x)

    def train(self):
        for _ in range(3):
            self.run_epoch()
            self.validate()


# case: it is gone through whenever its object is
class Batches:
    def __init__(self, pipe, num_workers: int = 0):
        self.loader = torch.utils.data.DataLoader(pipe, batch_size=None, num_workers=num_workers)  # expect: TPL210 @ torch.utils.data.DataLoader

    def __iter__(self):
        yield from self.loader


# ok: one pass
def evaluate(model: nn.Module, data):
    for x in DataLoader(data, num_workers=4):
        model(x.cuda())


# ok: one epoch, and no other
def test_one_epoch(model: nn.Module, loader):
    for x in loader:
        model(x.cuda())


def test(model: nn.Module, loader):
    test_one_epoch(model, loader)


def main(model: nn.Module, data):
    test(model, DataLoader(data, num_workers=4))


# ok: no workers, or they stay
def told(model: nn.Module, data, workers: int, settings: dict):
    a = DataLoader(data, batch_size=64)
    b = DataLoader(data, num_workers=0)
    c = DataLoader(data, num_workers=workers, persistent_workers=workers > 0)
    d = DataLoader(data, **settings)
    for _ in range(10):
        for loader in (a, b, c, d):
            for x in loader:
                model(x.cuda())


# ok: the dataset is another one at each epoch
def changed(model: nn.Module, data):
    loader = DataLoader(data, num_workers=4)
    for epoch in range(10):
        loader.dataset.set_epoch(epoch)
        for x in loader:
            model(x.cuda())


# ok: workers are seeded when they start
def seeded(model: nn.Module, data, seed):
    loader = DataLoader(data, num_workers=4, worker_init_fn=partial(seed, 3))
    for _ in range(10):
        for x in loader:
            model(x.cuda())


# ok: it is made anew for each epoch
def anew(model: nn.Module, data):
    for _ in range(10):
        loader = DataLoader(data, num_workers=4)
        for x in loader:
            model(x.cuda())


def validate(model: nn.Module, data):
    loader = DataLoader(data, num_workers=4)
    for x in loader:
        model(x.cuda())


def validate_often(model: nn.Module, data):
    for _ in range(10):
        validate(model, data)
