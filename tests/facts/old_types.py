"""The classes of tensors of old code, as constructors and as types to cast to."""

import numpy as np
import torch

cuda = torch.cuda.is_available()
Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor
Plain = torch.cuda.FloatTensor if cuda else torch.Tensor
if cuda:
    Long = torch.cuda.LongTensor
else:
    Long = torch.LongTensor
Host = torch.FloatTensor if cuda else torch.Tensor
Mixed = torch.cuda.FloatTensor if cuda else torch.LongTensor


def made(n: int, array: np.ndarray):
    a = Tensor(n, 3).fill_(1.0)  # fact: a => tensor, maybe, float32, likely && Tensor(n, 3).fill_(1.0) => no wait
    b = Tensor(np.zeros((n, 3)))  # fact: b => maybe && Tensor(np.zeros((n, 3))) => wait, because torch.cuda.FloatTensor
    c = Plain(array)  # fact: c => maybe, float32 && Plain(array) => wait
    d = Long([1, 2])  # fact: d => maybe, int64 && Long([1, 2]) => wait
    e = Host(array)  # fact: e => tensor, cpu && Host(array) => no wait
    f = Mixed(array)  # fact: Mixed(array) => no wait
    return a, b, c, d, e, f


def cast(x, n: int):
    host = torch.zeros(n)
    a = host.type(Tensor)  # fact: a => tensor, maybe, float32 && host.type(Tensor) => wait
    b = host.type(Host)  # fact: b => tensor, cpu && host.type(Host) => no wait
    c = a.type(Long)  # fact: a.type(Long) => no wait
    return a, b, c
