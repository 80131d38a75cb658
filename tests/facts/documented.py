"""Dtypes that docstrings give to tensors."""

import torch
from torch import Tensor


def chosen(score: Tensor, hit: Tensor, place: Tensor, bits: Tensor, either: Tensor, rows: Tensor):
    """Pick scores.

    Args:
        score (torch.Tensor, float): the scores.
        hit (torch.Tensor, bool): which ones.
        place (torch.LongTensor of shape [n]): where.
        bits (BoolTensor, optional): which ones.
        either (Tensor or bool): which ones, or all.
        rows (torch.Tensor): where, as bool or int.
    """
    score = score.cuda()
    first = score[hit]  # fact: hit => tensor, bool && score[hit] => wait
    second = score[place]  # fact: place => tensor, int64 && score[place] => no wait
    third = score[bits]  # fact: score[bits] => wait
    fourth = score[either]  # fact: either => no dtype && score[either] => no wait
    fifth = score[rows]  # fact: rows => no dtype && score[rows] => no wait
    return first.sum() + second.sum() + third.sum() + fourth.sum() + fifth.sum()


def unannotated(score: Tensor, hit):
    """Pick scores.

    :param score: the scores
    hit (Tensor[bool]): which ones
    """
    return score.cuda()[hit]  # fact: hit => tensor, bool && score.cuda()[hit] => wait
