"""What loops put into lists and dicts: one turn tells it, unless something in the loop looks at what is in there."""

from collections.abc import Iterator

from torch import Tensor


def kept(batches: list[Tensor]):
    every, named = [], {}
    for number, x in enumerate(batches):
        every.append(x.cuda())  # fact: every => list
        named[str(number)] = x.cpu()
    a = every[0]  # fact: a => tensor, cuda
    b = named["1"]  # fact: b => tensor, cpu
    return a, b


def of_two_branches(batches: list[Tensor], flag: bool):
    every = []
    for x in batches:
        if flag:
            every.append(x.cuda())
        else:
            every.append(x.cpu())
    a = every[0]  # fact: a => tensor, maybe
    return a


def left_early(batches: Iterator[Tensor]):
    found = []
    while True:
        x = next(batches)
        if len(x) == 0:
            break
        found.append(x.cuda())
    a = found[0]  # fact: a => tensor, cuda
    return a


def looked_at(batches: list[Tensor]):
    every = []
    for x in batches:
        for old in every:
            a = old  # fact: a => tensor, cuda
        every.append(x.cuda())
    return a


def counted(batches: list[Tensor]):
    every = []
    for x in batches:
        last = every[-1] if every else None  # fact: last => tensor, cuda, or None
        every.append(x.cuda())
    return last
