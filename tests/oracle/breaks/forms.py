"""The names that the statements of `forms.txt` use."""
# ruff: noqa: F401

import collections
import contextlib
import copy
import dataclasses
import datetime
import enum
import functools
import gc
import inspect
import itertools
import json
import logging
import math
import os
import pathlib
import random
import re
import sys
import threading
import time
import uuid
import warnings
import weakref
from contextlib import contextmanager, nullcontext

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.autograd import Variable
from torch.utils.checkpoint import checkpoint

log = logging.getLogger("x")
rng = np.random.default_rng(0)
lstm = torch.nn.LSTM(4, 4)
enum_c = enum.Enum("enum_c", {"A": 1})
nt = collections.namedtuple("nt", "a")
dist_n = torch.distributions.Normal(torch.zeros(3), torch.ones(3))
lst: list = []
lst2 = [1.0, 2.0, 3.0]
cm2 = {"a": 1}
lens = np.array([3, 2])


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, given):
        return given * 2


class Holder:
    n = 0

    def __init__(self):
        self.l, self.l2, self.d = [], [], {}


class Entered:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2


@dataclasses.dataclass
class Box:
    a: object


c, c2, Ctx, Fn = Holder(), Entered(), Entered, Double


def gen(x):
    for i in range(3):
        yield x + i


@contextmanager
def cm():
    yield


@torch.compiler.disable
def dis(x):
    return x + 1


@functools.lru_cache
def cached(n):
    return n * 2


def raise_if(x):
    if x.shape[0] > 10:
        raise ValueError


@functools.lru_cache(None)
def warn_once(text):
    log.warning(text)


gru = nn.GRU(4, 4)
cell = nn.LSTMCell(4, 4)
net = nn.Linear(4, 4)
lock = threading.Lock()
sp = torch.eye(4).to_sparse()
packed = torch.nn.utils.rnn.pack_padded_sequence(torch.ones(3, 2, 4), torch.tensor([3, 2]))
