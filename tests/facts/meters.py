"""Meters: objects that keep what they are given, and numbers made of it; one is given numbers, and another tensors."""

import torch
from torch import nn


class AverageMeter:
    def __init__(self, name):
        self.name = name
        self.reset()

    def reset(self):
        self.val = 0
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


class ReadingMeter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, val):
        self.total += float(val)
        self.count += 1


class PlainMeter:
    def __init__(self):
        self.total = 0.0

    def add(self, value):
        if torch.is_tensor(value):
            value = value.item()
        self.total += value


def epoch(loader, model, criterion):
    losses, accuracy, reading, plain = AverageMeter("loss"), AverageMeter("accuracy"), ReadingMeter(), PlainMeter()
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        out = model(x)
        loss = criterion(out, y)
        losses.update(loss.item(), x.size(0))
        accuracy.update((out.argmax(1) == y).float().mean(), x.size(0))
        reading.update(loss)
        plain.add(loss)
        a = losses.avg  # fact: a => number
        b = accuracy.avg  # fact: b => tensor, cuda, likely
        c = accuracy.count  # fact: c => number
        d = reading.total  # fact: d => number
        e = plain.total  # fact: e => unknown
        print("{l.avg:.3f}".format(l=losses))  # fact: print("{l.avg:.3f}".format(l=losses)) => no wait
        text = "{m.avg:.3f}".format(m=accuracy)  # fact: "{m.avg:.3f}".format(m=accuracy) => wait
        text = "{0.count} {m.name}".format(accuracy, m=accuracy)  # fact: "{0.count} {m.name}".format(accuracy, m=accuracy) => no wait
    accuracy_of_all = accuracy.avg  # fact: accuracy_of_all => tensor
    accuracy.reset()
    f = accuracy.avg  # fact: f => number
    return accuracy_of_all


def train(loader, model, criterion):
    best = 0
    for _ in range(9):
        reached = epoch(loader, model, criterion)
        best = max(reached, best)  # fact: max(reached, best) => wait


if __name__ == "__main__":
    train([], nn.Linear(3, 3).cuda(), nn.CrossEntropyLoss())
