"""What holds along the paths of a function."""

from dataclasses import dataclass
from typing import List, NamedTuple, Optional, Union

import torch
from torch import Tensor, nn


def assignments(flag: bool, n: int):
    x = torch.zeros(2, 3, device="cuda")  # fact: x => tensor, cuda, float32, rank 2, proven
    y = x  # fact: y => tensor, cuda, float32, rank 2
    if flag:
        z = x.long()  # fact: z => tensor, int64, rank 2
    else:
        z = torch.zeros(4, dtype=torch.int64)  # fact: z => tensor, cpu, int64, rank 1
    w = z  # fact: w => tensor, maybe, int64, no rank
    x = 3  # fact: x => number, = 3
    return w, x, y


def reassigned_on_a_path(x: Tensor, flag: bool):
    if flag:
        x = x.cpu()  # fact: x => tensor, cpu
    y = x  # fact: y => tensor, no device
    x = None  # fact: x => none
    return y


def tuples(x: Tensor):
    a, b = x.max(dim=1)  # fact: a => tensor, no dtype && b => tensor, int64
    c, (d, e) = 1, (x, "s")  # fact: c => number, = 1 && d => tensor && e => string, = 's'
    first, *rest = [x, x, x]  # fact: first => tensor && rest => list
    f = rest[0]  # fact: f => tensor
    b_, c_, h_, w_ = x.shape
    g = x  # fact: g => tensor, rank 4
    q, r = torch.linalg.qr(g)  # fact: q => tensor && r => tensor
    values = x.topk(3).values  # fact: values => tensor
    return a, b, c, d, e, f, q, r, values, b_, c_, h_, w_


def loops(xs: list[Tensor], n: int):
    total = 0.0  # fact: total => number, = 0.0
    state = torch.zeros(3)
    for x in xs:  # fact: x => tensor, proven
        state = state.unsqueeze(0)  # fact: state => tensor, no rank
        total += x.sum()  # fact: total => tensor
    after = total  # fact: after => tensor, likely
    i = 0
    while i < n:
        i += 1  # fact: i => number, int
    for j, (a, b) in enumerate(zip(xs, range(3))):  # fact: j => number, int && a => tensor && b => number, int
        pass
    return after, state


def comprehensions(xs: list[Tensor]):
    ys = [x.argmax() for x in xs]  # fact: ys => list && x.argmax() => tensor, int64, rank 0
    y = ys[0]  # fact: y => tensor, int64, rank 0
    d = {i: x for i, x in enumerate(xs)}  # fact: d => dict
    z = d[3]  # fact: z => tensor
    s = torch.stack(ys)  # fact: s => tensor, int64, rank 1
    return y, z, s


def walrus(x: Tensor):
    if (n := x.shape[0]) > 3:  # fact: n => number, int
        return n
    if (m := x > 0).any():  # fact: m => tensor, bool
        return m
    return None


def with_as():
    with open("f") as f:  # fact: f => object
        return f


def exceptions(x: Tensor):
    try:
        y = x.long()
    except RuntimeError:
        y = None
    z = y  # fact: z => tensor, int64, or None
    return z


def early(x: Optional[Tensor], y: "Tensor | None"):
    if x is None:
        return None
    z = x.unsqueeze(0)  # fact: x => tensor, proven && z => tensor
    if y is not None:
        w = y  # fact: w => tensor
        return w
    return z


def narrowed(x, y):
    if isinstance(x, Tensor):
        a = x  # fact: a => tensor, proven
    if torch.is_tensor(y):
        b = y  # fact: b => tensor, proven
    if not isinstance(x, torch.Tensor):
        raise TypeError
    c = x  # fact: c => tensor, proven
    return a, b, c


def lambdas(x: Tensor):
    double = lambda t: t * 2  # fact: double => function
    y = double(x)  # fact: y => tensor
    return y


def closures(x: Tensor):
    scale = torch.ones(3, device="cuda")

    def inner(t):
        s = scale  # fact: s => tensor, cuda, rank 1
        return t * s

    y = inner(x)  # fact: y => tensor, cuda
    return y


class Module(nn.Module):
    window = 7

    def __init__(self, width: int = 4):
        super().__init__()
        self.fc = nn.Linear(width, 8)
        self.blocks = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])
        self.net = nn.Sequential(nn.Linear(8, 8), nn.ReLU())
        self.norm = nn.LayerNorm(8)
        self.scale = nn.Parameter(torch.ones(8))
        self.register_buffer("mean", torch.zeros(8))
        self.anchors = torch.arange(8)
        self.cache = None
        self.rnn = nn.LSTM(8, 8)
        self.attention = nn.MultiheadAttention(8, 2)

    @property
    def depth(self):
        return len(self.blocks)

    @staticmethod
    def half(t: Tensor):
        return t / 2

    @classmethod
    def make(cls):
        return cls(3)

    def helper(self, t):
        self.cache = t.detach()
        return t + self.scale

    def forward(self, x, lengths=None):
        h = self.fc(x)  # fact: h => tensor
        for block in self.blocks:  # fact: block => module
            h = block(h)  # fact: h => tensor
        h = self.norm(self.net(h))  # fact: h => tensor
        m = self.mean  # fact: m => tensor, rank 1, float32, no device
        s = self.scale  # fact: s => tensor, rank 1, no device
        a = self.anchors  # fact: a => tensor, cpu, int64, rank 1
        d = self.depth  # fact: d => number, int
        w = self.window  # fact: w => number, = 7
        k = self.half(h)  # fact: k => tensor
        r, (hn, cn) = self.rnn(h)  # fact: r => tensor && hn => tensor && cn => tensor
        out, weights = self.attention(h, h, h)  # fact: out => tensor && weights => tensor, or None
        weight = self.fc.weight  # fact: weight => tensor, rank 2
        kept = self.cache  # fact: kept => tensor
        y = self.helper(h)  # fact: y => tensor
        other = Module.make()  # fact: other => module
        self.last = y
        z = self.last  # fact: z => tensor
        return z, m, s, a, d, w, k, kept, weight, other


class Child(Module):
    def forward(self, x):
        h = super().forward(x)
        y = self.half(x)  # fact: y => tensor
        b = self.blocks  # fact: b => module
        return h, y, b


@dataclass
class Batch:
    images: Tensor
    labels: Optional[Tensor] = None
    size: int = 3


class Pair(NamedTuple):
    left: Tensor
    right: int


def records(batch: Batch, pair: Pair, x: Tensor):
    a = batch.images  # fact: a => tensor, proven
    b = batch.labels  # fact: b => tensor, or None
    c = batch.size  # fact: c => number, int
    d = pair.left  # fact: d => tensor
    e = Batch(x).images  # fact: e => tensor
    return a, b, c, d, e


def literals(x: Tensor, **kwargs):
    d = {**kwargs, "x": x, "n": 3}
    a = d["x"]  # fact: a => tensor
    b = d["n"]  # fact: b => number, = 3
    c = kwargs["y"]  # fact: c => unknown
    xs = [x, x]
    e = xs[-1]  # fact: e => tensor
    xs.append(x)
    f = xs[5]  # fact: f => tensor
    return a, b, c, e, f


def decorated(function):
    import functools

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@torch.no_grad()
def under_no_grad(x: Tensor):
    y = x * 2  # fact: y => tensor
    return y


@torch.compile
def compiled(x: Tensor):
    return x.long()


def calls_decorated(x: Tensor):
    a = under_no_grad(x)  # fact: a => tensor
    b = compiled(x)  # fact: b => tensor, int64
    return a, b


def beside_the_host(x: Tensor, size):
    grid = torch.zeros(size)
    y = torch.mul(grid, x)  # fact: y => tensor, host or unknown
    z = torch.mul(torch.tensor(2.0), x)  # fact: z => tensor, no device
    return y, z


def matched(x: Tensor, mode: str):
    match mode:
        case "sum":
            y = x.sum()
        case other:
            y = x.sum() * 2
    z = y  # fact: z => tensor, rank 0
    return z, other


def one_or_several(parameters: Union[Tensor, List[Tensor]]):
    if isinstance(parameters, Tensor):
        parameters = [parameters]
    kept = list(filter(lambda p: p.sum() > 0, parameters))
    norm = kept[0].norm()  # fact: norm => tensor, rank 0
    return norm


def row_or_list(x: Union[Tensor, list], y: "Tensor | float" = 1.0, z: Union[Tensor, None, list] = None):
    both = x  # fact: both => unknown
    if isinstance(x, list):
        return both, x
    total = x.sum()  # fact: total => tensor, rank 0
    scaled = y  # fact: scaled => unknown
    if isinstance(z, (list, tuple)):
        z = torch.stack(z)
    last = z.mean() if z is not None else None  # fact: z => tensor
    return total, scaled, last


def of_parameters(parameters, others, ctx):
    for p in parameters:
        if p.grad is not None:
            size = p.grad.data.norm(2)  # fact: size => tensor, rank 0
            print(size)
    for other in others:
        found = other.grad(parameters)  # fact: other => unknown
        print(found, ctx.grad)
    return ctx  # fact: ctx => unknown


def batches_of_old_code(loader):
    batches = iter(loader)
    for _ in range(9):
        x, y = batches.next()
        count = x.unsqueeze(0).size(1)
        x, y = x.cuda(), y.cuda()  # fact: x.cuda() => wait && y.cuda() => wait
        print(x.shape, y.shape, count)


def what_each_turn_binds_anew(batches, device: torch.device, name: str):
    it, total = iter(batches), 0.0
    for _ in range(9):
        try:
            x = next(it)
        except StopIteration:
            it = iter(batches)
            x = next(it)
        if name == "a":
            y = torch.zeros(len(x))
        elif name == "b":
            y = torch.ones(len(x))
        z = y  # fact: z => tensor, cpu
        y = y.to(device)
        total = total + y.sum()
    return z, total


def what_a_turn_reads_before_it_binds_it(batches, name: str):
    for step, x in enumerate(batches):
        if step > 0:
            w = y  # fact: w => tensor, cuda
        y = torch.zeros(len(x), device="cuda")
    return w


def a_total_that_some_paths_add_to(a: torch.Tensor, b: torch.Tensor, first: bool, second: bool):
    total = 0.0
    if first:
        total += a.cuda().sum()
    if second:
        total += b.cuda().sum()
    return total.abs().item()  # fact: total.abs().item() => wait
