import torch
import torch.nn.functional as F
from torch import nn


# doc: Read in one branch alone, and never
def aggregate(data: torch.Tensor, owners: torch.Tensor, count: int, average: bool):
    counts = torch.bincount(owners, minlength=count).clamp(min=1)  # expect: TPL615 @ torch.bincount(owners, minlength=count).clamp(min=1)
    out = data.new_zeros(count, data.shape[1]).index_add_(0, owners, data)
    if average:
        out = out / counts[:, None]
    return out


class Norm(nn.Module):
    def forward(self, x: torch.Tensor, weight: torch.Tensor):
        mean = x.mean(0)
        spread = x.var(0, unbiased=False)  # expect: TPL615 @ x.var(0, unbiased=False)
        return F.layer_norm(x - mean, weight.shape, weight)


# case: read behind an `else`, in a name of its own type, where the name is bound again behind
def masked(x: torch.Tensor, mask: torch.Tensor | None):
    every: torch.Tensor = x.softmax(-1).log()  # expect: TPL615 @ x.softmax(-1).log()
    if mask is not None:
        y = x.masked_fill(mask, -1e4).log_softmax(-1)
    else:
        y = every * 2
    every = y.sum()
    return y, every


def in_turns(xs: list[torch.Tensor], mode: str):
    total = xs[0].new_zeros(3)
    for x in xs:
        norm = x.pow(2).sum(-1)  # expect: TPL615 @ x.pow(2).sum(-1)
        if mode == "norm":
            total = total + norm
    return total


# ok: it is read on other ways, or changed and read
def otherwise(x: torch.Tensor, scale: torch.Tensor, average: bool, last: bool):
    y = x * scale
    if average:
        y = y / 2
    z = x + scale
    if average:
        z += 1
    w = x - scale
    if average:
        w = w.abs()
    elif last:
        w = w.exp()
    return y, z, w


def kept_from_turn_to_turn(xs: list[torch.Tensor], early: bool):
    before = xs[0] * 2
    for x in xs:
        if early:
            before = before + x
        after = before * x
        if not early:
            before = after
        xs.append(after)
    return xs


# ok: a view, a number, what is drawn, what is called, what changes something
def nothing_to_save(x: torch.Tensor, layer: nn.Module, flag: bool):
    rows = x.view(-1)
    noise = torch.randn_like(x) * 2
    features = layer(x)
    filled = x.clone().fill_(0)
    if flag:
        return rows, noise, features, filled
    return None


# ok: there is nothing otherwise, a condition on a tensor, a name that is read elsewhere
def empty(boxes: torch.Tensor, scores: torch.Tensor):
    areas = boxes.prod(-1)
    if len(boxes) > 0:
        scores = scores * areas
    weights = boxes.sum(-1)
    if scores.max() > 1:
        scores = scores * weights
    sizes = boxes.amax(-1)

    def later():
        return sizes

    return scores, later


# ok: who leaves before it is read
def leaves(x: torch.Tensor, short: bool, flag: bool):
    y = x.exp() * 2
    if short:
        return x
    if flag:
        return y
    return x + 1


# ok: nothing is saved where all else is an error, or there is nothing
def degrees(x: torch.Tensor, highest: str):
    square = x.pow(2) * 2
    if highest == "two":
        return square
    raise ValueError(highest)


def kinds(x: torch.Tensor, kind: str):
    square = x.pow(2) * 2
    if kind == "square":
        x = square
    else:
        raise ValueError(kind)
    return x


def solver(x: torch.Tensor, kind: str):
    slope = x.pow(2) * 2
    if kind == "first":
        y = x + slope
    return y


def permuted(x: torch.Tensor, count: int):
    order = x.argsort(0) * 2
    if count == 0:
        x = x.new_zeros(0)
    else:
        x = x + order
    return x


# ok: an underscore says that nobody wants it, `locals` reads all
def meant(x: torch.Tensor):
    _ = x.sum(0) * 2
    return x


def all_of_them(x: torch.Tensor):
    y = x.sum(0) * 2
    return locals()


# missed: a list that is put together and never read
def gathered(xs: list[torch.Tensor]):
    parts = []
    for x in xs:
        parts.append(x * 2)
    return xs


# ok: a constructor runs once
class Kernel(nn.Module):
    def __init__(self, kind: str, poles: torch.Tensor):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(64, device="cuda"))
        turned = poles.cuda().exp() - 1
        if kind == "diagonal":
            self.register_buffer("turned", turned)


# ok: a mask, or one or two light operations, once a step
class Scored(nn.Module):
    def forward(self, x: torch.Tensor, rows: torch.Tensor, full: bool):
        mask = torch.cat([rows > 0, torch.ones_like(rows, dtype=torch.bool)], dim=1)
        contrast = (x / rows).mean()
        if full:
            return x, contrast
        return x


# ok: what Triton makes a kernel of is decided when it is compiled
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, start, size: tl.constexpr, safe: tl.constexpr):
    offset = (start + tl.arange(0, size)).to(tl.int64) * size
    if safe:
        return tl.load(x_ptr + offset)
    return tl.load(x_ptr)


# case: one light operation, but for each of a list
def clipped(gradients: list[torch.Tensor], keeps: bool):
    shares = []
    for gradient in gradients:
        share = (gradient > 0).sum()  # expect: TPL615 @ (gradient > 0).sum()
        gradient.clamp_(max=1.0)
        if keeps:
            shares.append(share)
    return shares
