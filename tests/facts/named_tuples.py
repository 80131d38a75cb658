"""Facts about named tuples: what is kept under a name is what was given for it."""

from collections import namedtuple

import torch

Batch = namedtuple("Batch", "image label")
Step = namedtuple("Step", ["state", "reward"])


def given(x: torch.Tensor, y: torch.Tensor):
    batch = Batch(x.cuda(), label=y.cuda())
    a = batch.label.sum().item()  # fact: batch.label => tensor, cuda && batch.label.sum().item() => wait
    image, label = batch  # fact: image => tensor, cuda
    step = Step(x.cuda(), 1.0)
    b = step.reward  # fact: b => number
    c = step[0]  # fact: c => tensor, cuda
    return a, image, label, b, c


def unpacked(steps):
    batch = Step(*zip(*steps))
    state = batch.state  # fact: state => unknown
    return state
