import copy
import logging
import math
import random
import time
import warnings

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

# doc: Every line of this ends the graph
@torch.compile
def step(x: Tensor, labels: Tensor) -> Tensor:
    if x.abs().max() > 100:  # expect: TPL702 @ x.abs().max() > 100
        x = x.clamp(-100, 100)
    scale = x.std().item()  # expect: TPL702 @ x.std().item()
    kept = x[x > 0]  # expect: TPL702 @ x[x > 0]
    print("kept", kept.shape)  # expect: TPL702 @ print("kept", kept.shape)
    return kept * scale + random.random()  # expect: TPL702 @ random.random()


# case: a module, by what its class calls; through helpers
logger = logging.getLogger(__name__)


class Block(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        self.check(x)
        return F.relu(x)

    def check(self, x: Tensor):
        if torch.isnan(x).any():  # expect: TPL702 @ torch.isnan(x).any()
            raise ValueError("NaN")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()
        self.rnn = nn.LSTM(8, 8)

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        x = helper(x)
        longest = int(lengths.max())  # expect: TPL702 @ int(lengths.max())
        x, _ = self.rnn(x)  # expect: TPL702 @ self.rnn(x)
        return self.block(x)[:longest]


def helper(x: Tensor) -> Tensor:
    logger.info("called")  # expect: TPL702 @ logger.info("called")
    warnings.warn("old", stacklevel=2)  # expect: TPL702 @ warnings.warn("old", stacklevel=2)
    return x * 2


def main():
    net = torch.compile(Net().cuda())
    return net


# case: `model.compile()`, and fullgraph, where it raises
class Loss(nn.Module):
    def forward(self, scores: Tensor, labels: Tensor) -> Tensor:
        chosen = torch.nonzero(labels)  # expect: TPL702 @ torch.nonzero(labels)
        counts = F.one_hot(labels)  # expect: TPL702 @ F.one_hot(labels)
        return scores[chosen].sum() + counts.sum() + (labels.bincount() if scores.dim() > 1 else 0)  # expect: TPL702 @ labels.bincount()


loss = Loss()
loss.compile(fullgraph=True)


# case: a method, a lambda, an inner function
class Trainer:
    def __init__(self):
        self.fast = torch.compile(self.slow)

    def slow(self, x: Tensor):
        begun = time.perf_counter()  # expect: TPL702 @ time.perf_counter()
        return x * begun


double = torch.compile(lambda x: print(x) or x * 2)  # expect: TPL702 @ print(x)


def outer(x: Tensor):
    def inner(x: Tensor):
        return x + np.random.rand()  # expect: TPL702 @ np.random.rand()

    return torch.compile(inner)(x)


# case: other ways to ask a tensor
@torch.compile(dynamic=True)
def asks(x: Tensor, mask: Tensor, counts: Tensor):
    y = x if mask.any() else x + 1  # expect: TPL702 @ mask.any()
    while x.sum() > 10 and y is not None:  # expect: TPL702 @ x.sum() > 10
        x = x / 2
    flag = not mask.all()  # expect: TPL702 @ mask.all()
    many = [row for row in (x, y) if row.sum() > 0]  # expect: TPL702 @ row.sum() > 0
    same = torch.equal(x, y)  # expect: TPL702 @ torch.equal(x, y)
    size = math.ceil(x.mean())  # expect: TPL702 @ math.ceil(x.mean())
    times = x.repeat_interleave(counts)  # expect: TPL702 @ x.repeat_interleave(counts)
    text = str(x)  # expect: TPL702 @ str(x)
    other = copy.deepcopy(x)  # expect: TPL702 @ copy.deepcopy(x)
    return y, flag, many, same, size, times, text, other


# case: contexts, and the backward pass
@torch.compile
def contexts(x: Tensor):
    with torch.random.fork_rng():  # expect: TPL702 @ torch.random.fork_rng()
        torch.manual_seed(0)  # expect: TPL702 @ torch.manual_seed(0)
        x = x + torch.rand_like(x)
    x.sum().backward()  # expect: TPL702 @ x.sum().backward()
    return x.to_sparse()  # expect: TPL702 @ x.to_sparse()


# ok: what torch compiles today
@torch.compile
def compiles(x: Tensor, mask: Tensor, labels: Tensor):
    assert (x < 100).all(), "large"
    array = x.detach().cpu().numpy()
    x[mask] = 0
    x = torch.where(mask, x, 0)
    drawn = random.randint(0, 3) + random.uniform(0, 1)
    many = np.random.rand(4)
    one_hot = F.one_hot(labels, 10)
    text = f"{x.shape}"
    times = x.repeat_interleave(2)
    for row in x:
        array = array + row.numpy()
    try:
        x = x + 1
    finally:
        x = x * 2
    if x.shape[0] > 3 and x.dtype == torch.float32 and x is not None:
        x = x[1:]
    with torch.no_grad(), torch.autocast("cpu"):
        x = x @ x
    size = int(x.shape[0] / 2)
    return x, array, drawn, many, one_hot, text, times, size, float(size), max(x.sum(), x.mean())


# ok: what is not compiled
def plain(x: Tensor):
    print(x)
    return x.sum().item()


class Plain(nn.Module):
    def forward(self, x: Tensor):
        if x.sum() > 0:
            print("positive")
        return x


# ok: kept out, and branches for eager code
logger = logging.getLogger(__name__)


@torch.compiler.disable
def shown(x: Tensor):
    print(x.mean().item())


@torch.compile
def careful(x: Tensor):
    shown(x)
    if not torch.compiler.is_compiling():
        print(x)
    if not torch.compiler.is_compiling() and x.sum() > 0:
        x = x + 1
    if torch.jit.is_scripting():
        print("scripted")
    if torch.compiler.is_compiling():
        return x + 1
    logger.warning("eager")
    return x.sum().item()


# ok: behind a gate, and an option that nobody sets
logger = logging.getLogger(__name__)


@torch.compile
def gated(x: Tensor, step: int, verbose: bool = False):
    if verbose:
        print(x)
    if step % 100 == 0:
        logger.info("%s", x.sum().item())
    if x.shape[0] > 10:
        raise ValueError(f"{x.sum().item()}")
    return x


# ok: numbers, sizes, and what may be no tensor
@torch.compile
def numbers(x: Tensor, n, mask=None):
    if mask:
        x = x + 1
    if n > 3 and len(x) > 2 and x.numel():
        x = x * float(n)
    return x.view(int(n), -1), bool(n)


# ok: another thing that is called so
class Expression:
    def compile(self, x):
        print(x)
        return x.item()


import re

pattern = re.compile("x")
fast = torch.compile(plain, disable=True)


# case: a condition on what a list of layers made
class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x: Tensor):
        for layer in self.layers:
            x = layer(x)
        if x.sum() > 0:  # expect: TPL702 @ x.sum() > 0
            x = x + 1
        return x


deep = torch.compile(Deep())


# case: all that a library's modules do, where they are assumed to be compiled
# set: assume-compiled = True
class Attention(nn.Module):
    def forward(self, x: Tensor, mask: Tensor):
        if mask.all():  # expect: TPL702 @ mask.all()
            return x
        return self.masked(x, mask)

    def masked(self, x: Tensor, mask: Tensor):
        print(mask.shape)  # expect: TPL702 @ print(mask.shape)
        return x * mask

    @torch.compiler.disable
    def shown(self, x: Tensor):
        print(x)

    def unused(self, x: Tensor):
        print(x)


# ok: what is asked about compiling under a name, a check that compiles, a constant
@torch.compile
def named(x: Tensor):
    compiling = torch.compiler.is_compiling()
    if not compiling:
        print(x)
    if False:
        print(x)
    assert x.sum() > 0
    return x


# case: Python's own `pow`, gradients that are asked for inside, what TorchScript is told to leave alone
@torch.compile
def powers(x: Tensor):
    x = x * pow(x.sum(), 2)  # expect: TPL702 @ pow(x.sum(), 2)
    x = x + pow(2, 3)
    y = x.detach().requires_grad_()  # expect: TPL702 @ x.detach().requires_grad_()
    x.requires_grad_(False)
    return first(y * x)


@torch.jit.ignore
def first(x: Tensor):
    if x.sum() > 0:  # expect: TPL702 @ x.sum() > 0
        return x[0]
    return x


# case: signatures alone stand before the function
from typing import overload


@overload
def kept(x: Tensor) -> Tensor: ...


@overload
def kept(x: Tensor, mask: Tensor) -> Tensor: ...


def kept(x: Tensor, mask=None):
    mask = x > 0
    return x[mask]  # expect: TPL702 @ x[mask]


@torch.compile
def keeps(x: Tensor):
    return kept(x * 2)


# ok: what one mode of several asks
@torch.compile
def divided(x: Tensor, y: Tensor, zeros="ignore"):
    if zeros == "warn" and (y == 0).any():
        zeros = "ignore"
    return x / y


# case: TorchScript inside
class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.fast = torch.jit.script(nn.Linear(3, 3))
        self.other = torch.jit.load("other.pt")
        self.plain = nn.Linear(3, 3)

    def forward(self, x: Tensor):
        x = self.plain(self.fast(x))  # expect: TPL702 @ self.fast(x)
        return scaled(self.other(x))  # expect: TPL702 @ self.other(x)


@torch.jit.script
def scaled(x: Tensor):
    return x * 2


mixed = torch.compile(Mixed())


# case: what can be written instead, and what cannot
@torch.compile
def chooses(x: Tensor, y: Tensor, mode: int):
    x, y = x * 1, y * 2
    if x.sum() > 0:  # expect: TPL702 @ x.sum() > 0
        x = x * y  # twice as much
    if mode == 1:
        y = y + 1
    elif y.sum() > 0:  # expect: TPL702 @ y.sum() > 0
        y = y - 1
    assert not x.isnan().any()  # expect: TPL702 @ x.isnan().any()
    return x * y.std().item()  # expect: TPL702 @ y.std().item()


# case: a class above makes the calls, and the class that is compiled has the methods
class Above(nn.Module):
    def __init__(self):
        super().__init__()
        self.measured = self.by_sum

    def forward(self, x: Tensor):
        return self.measured(self.cut(x))

    def by_sum(self, x: Tensor):
        return x / x.sum().item()  # expect: TPL702 @ x.sum().item()

    def cut(self, x: Tensor):
        return x


class Below(Above):
    def forward(self, x: Tensor):
        return super().forward(x * 2)

    def cut(self, x: Tensor):
        return x[x > 0]  # expect: TPL702 @ x[x > 0]


below = torch.compile(Below())


# ok: another class below is not compiled
class Beside(Above):
    def cut(self, x: Tensor):
        return x[x > 1]


# case: a table of functions and classes, and a name for one of two
class Steps:
    def advance(self, x: Tensor):
        return x * x.max().item()  # expect: TPL702 @ x.max().item()


class Leaps:
    def advance(self, x: Tensor):
        return x * 2


def wide(x: Tensor):
    return x[x > 1]  # expect: TPL702 @ x[x > 1]


def narrow(x: Tensor):
    return x[x > 2]  # expect: TPL702 @ x[x > 2]


SOLVERS = {"steps": Steps, "leaps": Leaps}


@torch.compile
def solve(x: Tensor, name: str, is_wide: bool):
    solver = SOLVERS[name]()
    pick = wide if is_wide else narrow
    return pick(solver.advance(x))


# case: arrays of NumPy are tensors to Dynamo, and so are their numbers
@torch.compile
def arrays(x: Tensor, places):
    where = np.array(places)
    x = x[:, where[0] : where[1]]  # expect: TPL702 @ x[:, where[0] : where[1]]
    if np.prod(x.shape) > 3:  # expect: TPL702 @ np.prod(x.shape) > 3
        x = x + 1
    return x.view(-1, int(np.prod(x.shape[1:])))  # expect: TPL702 @ int(np.prod(x.shape[1:]))


# ok: what NumPy works out of a number, and an array that no number is asked of
@torch.compile
def plain_numbers(x: Tensor):
    half = int(np.ceil(x.shape[0] / 2))
    width = float(np.sqrt(x.shape[1]))
    return x[:half] / width + torch.from_numpy(np.arange(3))


# case: a tensor says which one
@torch.compile
def which(x: Tensor, layers: list):
    best = x.argmax()
    y = layers[best](x)  # expect: TPL702 @ layers[best]
    z = x.repeat(best, 1)  # expect: TPL702 @ x.repeat(best, 1)
    if 1 in x:  # expect: TPL702 @ 1 in x
        z = z * 2
    return y, z[best]  # expect: TPL702 @ z[best]


# ok: a constant, and indices that gather
@torch.compile
def gathered(x: Tensor):
    first = torch.tensor(0)
    return x[first] + x[x.argmax(1)]


# case: made in compiled code, and what Dynamo does not look into
@torch.compile
def makes(x: Tensor, lengths: Tensor):
    scale = nn.Parameter(torch.ones(3))  # expect: TPL702 @ nn.Parameter(torch.ones(3))
    y = nn.Linear(3, 3)(x)  # expect: TPL702 @ nn.Linear(3, 3)
    zero = torch.zeros(1, requires_grad=True)  # expect: TPL702 @ torch.zeros(1, requires_grad=True)
    packed = nn.utils.rnn.pack_padded_sequence(y, lengths)  # expect: TPL702 @ nn.utils.rnn.pack_padded_sequence(y, lengths)
    if random.uniform(0, 1) < 0.5:  # expect: TPL702 @ random.uniform(0, 1) < 0.5
        y = y + zero
    return y * scale, packed


# ok: layers without parameters, and a number that Python draws and nobody asks
@torch.compile
def light(x: Tensor):
    x = nn.functional.relu(nn.Softmax(dim=1)(x))
    return nn.LayerNorm(3, elementwise_affine=False)(x) * random.uniform(0, 1)


# ok: nothing shows that this parameter is a tensor
class Warm(nn.Module):
    def __init__(self, start):
        super().__init__()
        self.start = start

    def forward(self, x: Tensor, it):
        if it < self.start:
            return x * 2
        return x


warm = torch.compile(Warm(3))


# ok: a module with a `compile` of its own
class Matcher(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def compile(self):
        self.layer.compile()

    def forward(self, x: Tensor):
        x = self.layer(x)
        return x[x > 0]


matcher = Matcher()
matcher.compile()


# case: recurrent layers, whichever of several they are
class Recurrent(nn.Module):
    def __init__(self, kind: str, rnn_type: str):
        super().__init__()
        if kind == "gru":
            self.branched = nn.GRU(8, 8)
        else:
            self.branched = nn.LSTM(8, 8)
        self.looked_up = {"gru": nn.GRU, "lstm": nn.LSTM}[kind](8, 8)
        self.named = getattr(nn, rnn_type.upper())(8, 8)
        cell = nn.GRU if kind == "gru" else nn.LSTM
        self.chosen = cell(8, 8)
        self.returned = self.of(kind)(8, 8)
        self.several = nn.ModuleList()
        for _ in range(2):
            self.several.append(nn.GRU(8, 8))

    def of(self, kind: str):
        if kind == "gru":
            found = nn.GRU
        else:
            found = nn.LSTM
        return found

    def forward(self, x: Tensor):
        x, _ = self.branched(x)  # expect: TPL702 @ self.branched(x)
        x, _ = self.looked_up(x)  # expect: TPL702 @ self.looked_up(x)
        x, _ = self.named(x)  # expect: TPL702 @ self.named(x)
        x, _ = self.chosen(x)  # expect: TPL702 @ self.chosen(x)
        x, _ = self.returned(x)  # expect: TPL702 @ self.returned(x)
        x, _ = self.several[0](x)  # expect: TPL702 @ self.several[0](x)
        for n, layer in enumerate(self.several):
            x, _ = layer(x + n)  # expect: TPL702 @ layer(x + n)
        return x


recurrent = torch.compile(Recurrent("gru", "lstm"))


# ok: layers that may be others, and cells
class Mixed(nn.Module):
    def __init__(self, kind: str, rnn_cell: str):
        super().__init__()
        self.mixed = nn.GRU(8, 8) if kind == "gru" else nn.Linear(8, 8)
        self.looked_up = {"gru": nn.GRU, "linear": nn.Linear}[kind](8, 8)
        self.cell = getattr(nn, rnn_cell)(8, 8)
        self.one = getattr(nn, "LSTMCell")(8, 8)
        self.any = getattr(nn, kind)(8, 8)
        self.several = nn.ModuleList()
        self.several.append(nn.Linear(8, 8))
        self.several.append(nn.GRU(8, 8))
        self.given = None

    def keep(self, layer):
        self.given = layer

    def forward(self, x: Tensor):
        x = self.mixed(x) + self.looked_up(x) + self.cell(x) + self.any(x) + self.one(x) + self.given(x)
        return self.several[0](x)


mixed = torch.compile(Mixed("linear", "GRUCell"))


# case: what old programs write, and a function with a backward pass of its own
class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        print("forward")  # expect: TPL702 @ print("forward")
        return x.round()

    @staticmethod
    def backward(ctx, given):
        print("never compiled")
        return given


class Floored(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.floor()

    @staticmethod
    def backward(ctx, given):
        return torch.autograd.grad(given, given)  # expect: TPL702 @ torch.autograd.grad(given, given)


@torch.compile
def old(x: Tensor, given: dict):
    x = torch.autograd.Variable(x)  # expect: TPL702 @ torch.autograd.Variable(x)
    if "mask" in given:
        x = x * given["mask"]
    for i in range(4):
        if i == 3:
            continue
        print(i)  # expect: TPL702 @ print(i)
    return Rounded.apply(x) + Floored.apply(x)


# case: one number of an array as an index
@torch.compile
def rows(x: Tensor):
    order = np.array([2, 0])
    first = x[order[0]]  # expect: TPL702 @ x[order[0]]
    for n in np.arange(2):
        first = first + x[n]  # expect: TPL702 @ x[n]
    return first + x[order]


# case: a loop over what the data select; in another loop, where Dynamo leaves the function to Python, nothing else is worth a word
@torch.compile
def by_chain(x: Tensor, chains: Tensor) -> Tensor:
    total = x.sum()
    for chain in torch.unique(chains):  # expect: TPL702 @ torch.unique(chains)
        total = total * (chains == chain).sum().item()  # expect: TPL702 @ (chains == chain).sum().item()
    for row in chains:
        total = total * row.item()  # expect: TPL702 @ row.item()
    return total


@torch.compile
def by_chains(x: Tensor, chains: Tensor) -> Tensor:
    total = x.sum().item() * x
    for rows in chains:
        for n, chain in enumerate(torch.unique(rows)):  # expect: TPL702 @ torch.unique(rows)
            total = total * (rows == chain).sum().item() * n
    return total


# ok: only a test compiles it
class Tried(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * x.sum().item()


def test_tried():
    assert torch.compile(Tried())(torch.ones(3)) is not None


# ok: an option that the code leaves off compiles it
class Part(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * x.sum().item()


class Whole(nn.Module):
    def __init__(self, compile_part: bool = False):
        super().__init__()
        self.part = Part()
        if compile_part:
            self.part = torch.compile(self.part)


# case: an option that is on, and one of two calls that no option keeps off
class Kept(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * x.sum().item()  # expect: TPL702 @ x.sum().item()


class Twice(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * x.sum().item()  # expect: TPL702 @ x.sum().item()


class Holder(nn.Module):
    def __init__(self, compile_kept: bool = True, compile_twice: bool = False):
        super().__init__()
        self.kept = Kept()
        self.twice = Twice()
        if compile_kept:
            self.kept = torch.compile(self.kept)
        if compile_twice:
            self.twice = torch.compile(self.twice)


twice = torch.compile(Twice())
