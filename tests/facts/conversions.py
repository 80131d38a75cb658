"""Tensors that are made of what is given and is none: what is given as a tensor stays where it is."""

import numpy as np
import torch
from torch import nn


def as_tensor(value, dtype=None):
    if isinstance(value, (nn.Parameter, torch.Tensor)):
        return value if dtype is None else value.type(dtype)
    if isinstance(value, (float, int, list, tuple, np.ndarray)):
        return torch.tensor(value) if dtype is None else torch.tensor(value, dtype=dtype)


def counted(given):
    given = as_tensor(given)  # fact: given => tensor, no device
    return int(torch.max(given))  # fact: int(torch.max(given)) => wait


def picked(given, chosen):
    given = given if torch.is_tensor(given) else torch.as_tensor(given)  # fact: given => tensor, no device
    return given[chosen > 0].sum().item()  # fact: given[chosen > 0].sum().item() => wait


def loaded(array):
    if isinstance(array, np.ndarray):
        array = torch.from_numpy(array)  # fact: array => tensor, cpu
        print(array.sum())  # fact: print(array.sum()) => no wait
    return array.sum().item()


def listed():
    made = as_tensor([1.0, 2.0])  # fact: made => tensor, host or unknown
    return made.sum().item()  # fact: made.sum().item() => no wait


def of_array(array: np.ndarray):
    made = as_tensor(array)  # fact: made => tensor, host or unknown
    return made.sum().item()  # fact: made.sum().item() => no wait


def not_asked(rows, given):
    found = given
    if rows:
        found = torch.tensor(rows)
    return found.sum().item()  # fact: found => tensor, host or unknown && found.sum().item() => no wait


def placed(given):
    if not isinstance(given, torch.Tensor):
        given = torch.tensor(given, device="cpu")
    return given.sum().item()  # fact: given => tensor, host or unknown && given.sum().item() => no wait


def decoded(given, device):
    if not isinstance(given, torch.Tensor):
        given = torch.tensor(given, dtype=torch.float32)
    return given.to(device)  # fact: given.to(device) => wait
