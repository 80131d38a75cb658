"""What is likely a tensor, and what shows it: uses, tests, annotations that leave a choice, and who made it."""

from functools import partial
from typing import Any, TypeVar, Union

import einx
import numpy as np
import torch
from elsewhere import attend, layer_of, prepare
from einops import rearrange
from torch import Tensor, nn

Array = Union[np.ndarray, torch.Tensor]
Picture = TypeVar("Picture", bound=Array)
Number = TypeVar("Number", int, float)
Masks = TypeVar("Masks", bound="Tensor")


# ---- annotations that leave a choice


def arrays(a: Array, b: "np.ndarray | Tensor | None", c: Picture, d: Number, e: Masks, f: Union[list, np.ndarray, Tensor]):
    x = a  # fact: x => tensor, likely, host or unknown
    y = b  # fact: y => tensor, likely, host or unknown, or None
    z = c  # fact: z => tensor, likely, host or unknown
    n = d  # fact: n => number
    m = e  # fact: m => tensor, likely, no device
    s = f  # fact: s => unknown
    return x, y, z, n, m, s


def told_apart(a: Array, b: Array, c: Array):
    if isinstance(a, np.ndarray):
        x = a  # fact: x => ndarray
    else:
        x = a  # fact: x => tensor, no device
    if isinstance(b, Tensor):
        y = b  # fact: y => tensor, proven, no device
    if not isinstance(c, Tensor):
        return c  # fact: c => ndarray, likely
    return x, y, c


def of_the_host(a: Array):
    if a.max() > 1:  # fact: a.max() > 1 => no wait
        a = a / 255
    return a


# ---- tests for classes of the program


class Marked(Tensor):
    scale: float = 1.0

    @property
    def origin(self) -> Tensor:
        return self[0]

    def shifted(self):
        return self.long() + 1


class Box:
    corners: Tensor


def tested(a: Any, b: Any, c: Tensor, d: Any):
    if isinstance(a, Marked):
        x = a  # fact: x => tensor, proven
        y = a.origin  # fact: y => tensor
        z = a.shifted()  # fact: z => tensor, int64
        s = a.scale  # fact: s => number
        f = a.float()  # fact: f => tensor, float32
    if isinstance(b, Box):
        w = b  # fact: w => instance
        u = b.corners  # fact: u => tensor
    if isinstance(c, Marked):
        v = c  # fact: v => tensor, proven
    else:
        v = c.sqrt()  # fact: c => tensor, proven && v => tensor, proven
    if isinstance(d, Unheard):
        t = d  # fact: t => unknown
    return x, y, z, s, f, w, u, v, t


# ---- uses


def shown(name):
    query, key, value, low = attend(name)  # fact: query => tensor, likely && key => tensor && value => unknown && low => unknown
    query = query.reshape(4, -1).contiguous()
    rows, device = key.shape[0], key.device
    columns = value.shape[0]
    return query, rows, device, columns, low.device


def not_shown(model, rows):
    where = model.device  # fact: model => unknown
    text = rows.strip().contiguous  # fact: rows => unknown
    return where, text


class Attention(nn.Module):
    def forward(self, x, mask=None, cache=None, streams=None):
        q, k, v = x  # fact: x => tensor, likely && q => tensor && v => tensor
        rows = x.shape[-1]
        mask = rearrange(mask, "b n -> b 1 n")  # fact: mask => tensor
        first, second = streams  # fact: streams => unknown, or None
        return q, k, v, rows, mask, cache, first, second


# ---- what parts of a module, and functions out of sight, make of a tensor


class Block(nn.Module):
    def __init__(self, width, act, pair=None):
        super().__init__()
        self.norm = layer_of(width)
        self.act = act
        self.pair = pair

    def forward(self, x):
        h = self.act(x)  # fact: h => tensor, likely
        h = self.norm(h)  # fact: h => tensor, likely
        out, state = self.pair(h)  # fact: out => unknown && state => unknown
        text = self.act("name")  # fact: text => unknown
        got = self.unheard(x)  # fact: got => unknown
        return h, out, state, text, got


def of_itself(x: Tensor, y: Tensor, z: Tensor, names, w: Tensor):
    x = prepare(x, 3)  # fact: x => tensor, likely, no device
    y = prepare(z)  # fact: y => unknown
    z = prepare(z)  # fact: z => unknown
    names = prepare(names)  # fact: names => unknown
    w = w.cpu()
    w = prepare(w)  # fact: w => tensor, likely, host or unknown
    return x, y, z["image"], names, w


# ---- functions that keep some arguments


norm_layer = partial(nn.LayerNorm, eps=1e-6)
on_gpu = partial(torch.zeros, device="cuda")


def scaled(x, factor=1, shift=0):
    return x * factor + shift


def kept(x: Tensor, width: int):
    layer = norm_layer(width)  # fact: layer => module
    h = layer(x)  # fact: h => tensor
    zeros = on_gpu(3)  # fact: zeros => tensor, cuda, rank 1
    there = on_gpu(3, device="cpu")  # fact: there => tensor, cpu
    double = partial(scaled, factor=2)
    twice = double(x)  # fact: twice => tensor
    bound = partial(scaled, x)
    what = bound()  # fact: what => unknown
    both = einx.add("a b, b -> a b", x, twice)  # fact: both => tensor
    return h, zeros, there, twice, what, both


def kept_or_not(x: Tensor, flag: bool):
    run = partial(scaled, factor=2) if flag else scaled
    what = run(x)  # fact: what => unknown
    return what


# ---- what is seldom so, or is not what it says


def one_of(parts: "tuple[Tensor]", size):
    x = parts  # fact: x => tuple, likely
    (y,) = parts  # fact: y => tensor, likely
    z = y.permute(1, 0).view(size)  # fact: z => tensor, no rank
    flat = torch.zeros(2, 3).view(size)  # fact: flat => tensor, no rank
    return x, y, z, flat


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return x * scale

    @staticmethod
    def backward(ctx, grad):
        x, scale = ctx.saved_tensors  # fact: x => tensor, likely && scale => tensor, likely
        return _product(grad, ctx.saved_tensors), grad * x * scale


def _product(grad: Tensor, saved: Tensor):
    y = saved  # fact: y => tensor, likely
    return grad * y[1]
