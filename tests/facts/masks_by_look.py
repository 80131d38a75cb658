"""Facts about masks that are only seen to be comparisons: of what is compared nothing is known."""

import torch


def picked(x: torch.Tensor, ids, pad):
    mask = ids != pad
    a = x[mask]  # fact: x[mask] => wait
    b = x[(ids > 0) & (ids < 9)]  # fact: x[(ids > 0) & (ids < 9)] => wait
    inside = (ids == 3).squeeze(dim=-1)  # fact: inside => tensor, bool
    c = x[inside]  # fact: x[inside] => wait
    x[mask] = 0  # fact: x[mask] => no wait
    return a, b, c


def unknown(x: torch.Tensor, widths, name):
    inside = x > 0
    a = widths[inside, :]  # fact: widths[inside, :] => wait && a => tensor
    made = name()
    b = made[inside]  # fact: made[inside] => no wait
    c = x[name == "first"]  # fact: x[name == "first"] => no wait
    d = x[name is None]  # fact: x[name is None] => no wait
    return a, b, c, d


def counted(labels: torch.Tensor, counts):
    table = torch.zeros(3, 3)
    for label in labels.cuda().view(-1):
        table[label, 0] += 1  # fact: table[label, 0] => wait
        table[0, 1] += 1  # fact: table[0, 1] => no wait
    return table, counts


def looked_up(batch: torch.Tensor):
    x = batch["image"]  # fact: x => tensor_tree
    return x
