"""Facts about what derives from a class of torch, and about what only looks like one thing."""

from abc import ABC, abstractmethod

import numpy as np
import torch
from torch import nn


class Marked(torch.Tensor):
    def doubled(self):
        twice = self * 2  # fact: self => tensor && twice => tensor
        return twice

    def inverse(self):
        return self.flip(-1)


def undone(x: torch.Tensor, y: torch.Tensor):
    a = x.inverse()  # fact: x.inverse() => no wait
    b = torch.inverse(y)  # fact: torch.inverse(y) => wait
    return a, b


class Base(ABC):
    @abstractmethod
    def compute(self):
        """What it comes to."""

    def report(self):
        value = self.compute()  # fact: value => unknown
        return value


def spread(x):
    if isinstance(x, np.ndarray):
        return np.std(x)
    x = torch.std(x.float(), unbiased=False)  # fact: x => tensor, no dtype
    return x


def table(values, bins, heights):
    found = np.interp(values, bins, heights)  # fact: found => ndarray
    return np.int64(found.sum())


def shaped(kernel: torch.Tensor, sizes: list[int]):
    grown = kernel.view(-1, *sizes)  # fact: grown => tensor, no rank
    flat = kernel.view(-1, 4)  # fact: flat => tensor, rank 2
    return grown, flat


def built(layer: nn.Module, flag: bool):
    return layer(3), flag  # fact: layer => module, likely && flag => number, likely


def either(count: "int | torch.Tensor"):
    total = count + 1  # fact: count => unknown
    return total


def use_either():
    return either(3)


def decode(token):
    return chr(max(32, token))  # fact: token => tensor


def decode_all(tokens: torch.Tensor):
    return "".join(map(decode, tokens))


def restored(path):
    state = torch.load(path)
    return state.to("cuda")  # fact: state.to("cuda") => no wait


class Choice(torch.distributions.Categorical):
    def log_probs(self, actions: torch.Tensor):
        return super().log_prob(actions).sum(-1)


class Unchecked(torch.distributions.Normal):
    def __init__(self, mean, scale):
        super().__init__(mean, scale, validate_args=False)


class Head(nn.Module):
    def forward(self, x: torch.Tensor):
        choice = Choice(logits=x)  # fact: Choice(logits=x) => wait
        quiet = Choice(logits=x, validate_args=False)  # fact: Choice(logits=x, validate_args=False) => no wait
        free = Unchecked(x, x)  # fact: Unchecked(x, x) => no wait
        return choice, quiet, free


class Embedded(nn.Module):
    @staticmethod
    def test_step(model, triples, args):
        if args.cuda:
            triples = triples.cuda()
        return model(triples) if args.count > 3 else triples  # fact: args => unknown && args.count > 3 => no wait

    def training_step(self, batch, index):
        return batch  # fact: batch => tensor_tree


class Inputs:
    def __init__(self, x: torch.Tensor):
        self.kept = {"image": x.cuda(), "name": "first"}

    def prepared(self):
        return {"mask": torch.ones(3, device="cuda")}


class Reader(Inputs):
    def read(self):
        image = self.kept["image"]  # fact: image => tensor, cuda
        name = self.kept["name"]  # fact: name => string
        mask = self.prepared()["mask"]  # fact: mask => tensor, cuda, rank 1
        return image, name, mask


class OnHost(Inputs):
    def __init__(self, x: torch.Tensor):
        self.kept = {"image": x.cpu()}

    def prepared(self):
        return {"mask": torch.ones(3)}

    def read(self):
        image = self.kept["image"]  # fact: image => tensor, cpu
        mask = self.prepared()["mask"]  # fact: mask => tensor, cpu
        return image, mask


class Above(nn.Module):
    scale = 3

    def halved(self, x):
        return x / 2


def guard(above, x: torch.Tensor):
    step = above.scale  # fact: step => unknown
    return above.halved(x), step  # fact: above.halved(x) => unknown


class Wide(Above):
    def forward(self, x: torch.Tensor):
        return guard(super(), x)


class Deep(Above):
    def forward(self, x: torch.Tensor):
        return guard(super(), x)
