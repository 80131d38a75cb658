"""Lists as indices: along one dimension of several, each is copied to the GPU, whatever it holds."""

from torch import Tensor


def picked(x: Tensor, names):
    x = x.cuda()
    columns = [each.place for each in names]
    there = x[:, columns]  # fact: x[:, columns] => wait
    none = x[:, None, 1:]  # fact: x[:, None, 1:] => no wait
    first = names[0], 3
    one = x[first]  # fact: x[first] => no wait
    return there, none, one
