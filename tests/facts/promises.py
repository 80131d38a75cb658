"""What the annotation of a parameter is worth: proven, as long as nothing in sight speaks against it."""

from typing import Optional, Union

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn import Parameter


def plain(x: Tensor, y: "torch.Tensor"):
    return x * y  # fact: x => tensor, proven && y => tensor, proven && x * y => tensor, proven


def handed_on(inputs: Tensor, token: "Tensor | None", mask: Optional[Tensor], last: Union[None, Tensor]):
    begin(inputs, token)  # fact: inputs => tensor, proven && token => tensor, likely, or None
    if mask is not None:
        begin(inputs, mask)  # fact: mask => tensor, likely
    return inputs * last  # fact: last => tensor, likely && inputs * last => tensor


def told(inputs: Tensor, weights: Tensor, *rest: Tensor, **named: Tensor):
    kept = weights
    plain(inputs, kept)  # fact: inputs => tensor, likely && kept => tensor, likely
    for each in rest:
        print(each)  # fact: each => tensor, proven
    for each in named.values():
        print(each)  # fact: each => tensor, likely


def tables(listed: list[Tensor], named: dict[str, Tensor]):
    return listed[0], named["x"]  # fact: listed[0] => tensor, proven && named["x"] => tensor, likely


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 4)

    def forward(self, x: Tensor, mask: Tensor, kept: Tensor):
        h = self.inner(x)  # fact: x => tensor, proven && h => tensor, proven
        return self.masked(h, mask, kept)  # fact: mask => tensor, likely

    def masked(self, h: Tensor, mask: Tensor, kept: Tensor):
        if kept is not None:  # fact: kept => tensor, or None, proven
            h = h * kept.unsqueeze(0)
        if mask is not None:  # fact: mask => tensor, or None, likely
            h = h * mask
        return h


def begin(inputs: Tensor, token: Optional[Tensor]):
    return inputs * token  # fact: inputs => tensor, proven && token => tensor, likely


def used(mask: Optional[Tensor], bias: "Tensor | None", weight: Union[Tensor, None], to: Optional[Tensor], at: None | Tensor):
    if mask is None:  # fact: mask => tensor, proven, or None
        return None
    mask = mask.unsqueeze(1)  # fact: mask => tensor, proven
    bias = F.relu(bias)  # fact: bias => tensor, proven
    moved = to.to(weight.device)  # fact: to => tensor, proven && moved => tensor, proven
    return mask + bias + weight + moved + at.contiguous()  # fact: weight => tensor, proven && at => tensor, proven


def shared_with_arrays(mask: Optional[Tensor], key: "Tensor | None"):
    return mask.sum(), key["mask"]  # fact: mask => tensor, likely && key => tensor, likely


def old_style(mask: Tensor = None, bias: Tensor = None):
    mask = mask.unsqueeze(0)  # fact: mask.unsqueeze(0) => tensor, proven
    return plain(mask, bias)  # fact: bias => tensor, likely, or None


def by_default(x: Tensor, by: Tensor = 1.0, to: Tensor = torch.zeros(())):
    by.requires_grad_()  # fact: by => tensor, likely
    return x * by * to  # fact: x => tensor, proven && to => tensor, proven


def asked(x: Tensor, weight: Tensor, either: Tensor):
    first = x  # fact: first => tensor, likely
    if isinstance(x, np.ndarray):
        first = torch.from_numpy(x)  # fact: first => tensor, proven
    if isinstance(weight, Parameter):
        weight = weight.data  # fact: weight => tensor, proven
    if not isinstance(either, Tensor):  # fact: either => tensor, likely
        raise TypeError
    return first, weight, either  # fact: weight => tensor, proven && either => tensor, proven


def told_otherwise(values: Tensor, when: Tensor, shape: Tensor):
    return values * when, shape[0]  # fact: values => tensor, likely && when => tensor, likely && shape => tensor, proven


def tells(x: Tensor):
    told_otherwise([1.0, 2.0], None, x)
    told_otherwise(x, x, x)


class Task(nn.Module):
    def loss_of(self, batch) -> tuple[Tensor, int]:
        raise NotImplementedError

    def name_of(self, batch):
        raise NotImplementedError


def left_to_others(task: Task, batch):
    loss, count = task.loss_of(batch)
    name = task.name_of(batch)
    return loss, count, name  # fact: loss => tensor, proven && count => number && name => unknown


class Boxes(nn.Module):
    def picked(self, scores, joints):
        """Some boxes.

        Args:
            scores: tensor [n] of scores
            joints (torch.Tensor[M, K, 2]): where the joints are
        """
        return scores[joints[0] > 0]  # fact: joints => ndarray, likely

    def forward(self, scores, joints, lengths):
        """All boxes.

        Args:
            scores: tensor [n] of scores
            joints (torch.Tensor[M, K, 2]): where the joints are
            lengths: list[int] of how many a batch has
        """
        joints = joints.cpu().numpy()
        assert lengths[0] > 0  # fact: lengths[0] => number
        return self.picked(scores, joints[0])


class Warped(nn.Module):
    def forward(self, x, weights, rows):
        total = 0
        for i in range(len(weights)):
            if weights[i] > 0:  # fact: weights => unknown
                total = total + x * weights[i]
        return total + rows[0]  # fact: rows => tensor, likely
