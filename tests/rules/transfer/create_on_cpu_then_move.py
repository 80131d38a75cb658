import torch
from torch import nn


# doc: A state, and noise at every step
def denoise(model, steps, batch):
    state = torch.zeros(batch, 64).cuda()  # expect: TPL201 @ torch.zeros(batch, 64).cuda()
    for t in range(steps):
        noise = torch.randn(batch, 64).cuda()  # expect: TPL201 @ torch.randn(batch, 64).cuda()
        state = model(state, t) + noise
    return state


# case: a simulation that imports its functions, and fills its grid before it moves it
from torch import (roll, zeros)

shape = (640, 640)


def laplacian(grid):
    return roll(grid, +1, 0) + roll(grid, -1, 0) + roll(grid, +1, 1) + roll(grid, -1, 1) - 4 * grid


def simulate(turns):
    grid = zeros(shape)

    low = int(shape[0] * 0.4)
    high = int(shape[0] * 0.5)
    grid[low:high, low:high] = 0.005  # the block in the middle

    grid = grid.cuda()  # expect: TPL201 @ grid.cuda()
    for _ in range(turns):
        grid = grid + 0.1 * laplacian(grid)
    return grid


# case: all exact factories, under an alias
import torch as th

device = th.device("cuda")


def exact(n: int, m: int):
    a = th.zeros(n, m).to(device)  # expect: TPL201 @ th.zeros(n, m).to(device)
    b = th.ones((n,), dtype=th.bool).to("cuda:1")  # expect: TPL201 @ th.ones((n,), dtype=th.bool).to("cuda:1")
    c = th.full((n, m), 0.5).cuda(0)  # expect: TPL201 @ th.full((n, m), 0.5).cuda(0)
    d = th.eye(n).to(device=device, non_blocking=True)  # expect: TPL201 @ th.eye(n).to(device=device, non_blocking=True)
    e = th.arange(n).to(device)  # expect: TPL201 @ th.arange(n).to(device)
    f = th.arange(0, n, 2).unsqueeze(0).to(device)  # expect: TPL201 @ th.arange(0, n, 2).unsqueeze(0).to(device)
    g = th.tril(th.ones(n, n)).view(1, 1, n, n).to(device)  # expect: TPL201 @ th.tril(th.ones(n, n)).view(1, 1, n, n).to(device)
    h = th.empty(n, m).cuda()[0]  # expect: TPL201 @ th.empty(n, m).cuda()
    i = th.arange(n)[None, :, None].to(device)  # expect: TPL201 @ th.arange(n)[None, :, None].to(device)
    return a, b, c, d, e, f, g, h, i


# case: the dtype goes with the device, into the call where that changes nothing
def merged(n: int, x: torch.Tensor):
    a = torch.zeros(n).to(x)  # expect: TPL201 @ torch.zeros(n).to(x)
    b = torch.ones(n).type_as(x)  # expect: TPL201 @ torch.ones(n).type_as(x)
    c = torch.zeros(n, dtype=torch.long).to("cuda", torch.int32)  # expect: TPL201 @ torch.zeros(n, dtype=torch.long).to("cuda", torch.int32)
    d = torch.arange(n).to(x.device, torch.float32)  # expect: TPL201 @ torch.arange(n).to(x.device, torch.float32)
    e = torch.full((n,), 1).to(device=x.device, dtype=x.dtype)  # expect: TPL201 @ torch.full((n,), 1).to(device=x.device, dtype=x.dtype)
    return a, b, c, d, e


# run: merged(3, anything("..."))
# run: merged(0, anything("..."))


# case: what a dtype makes of it
# run: cast(4, anything("..."))
# run: cast(0, floats("2"))
def cast(n: int, x: torch.Tensor):
    a = torch.full((n,), 2.7).to(x.device, torch.int16)  # expect: TPL201 @ torch.full((n,), 2.7).to(x.device, torch.int16)
    b = torch.full((n,), 300).to("cuda", torch.uint8)  # expect: TPL201 @ torch.full((n,), 300).to("cuda", torch.uint8)
    c = torch.ones(n, n).tril().to(device=x.device, dtype=torch.bool)  # expect: TPL201 @ torch.ones(n, n).tril().to(device=x.device, dtype=torch.bool)
    d = torch.eye(n, 2).t().to(x)  # expect: TPL201 @ torch.eye(n, 2).t().to(x)
    e = torch.arange(n, 0, -1).flatten().cuda()  # expect: TPL201 @ torch.arange(n, 0, -1).flatten().cuda()
    f = torch.zeros(2, n).transpose(0, 1).to(x.device, x.dtype)  # expect: TPL201 @ torch.zeros(2, n).transpose(0, 1).to(x.device, x.dtype)
    return a, b, c, d, e, f


# case: floats of the last digit, and random numbers
def rounded(n: int, steps: int):
    a = torch.linspace(0, 1, steps).cuda()  # expect: TPL201 @ torch.linspace(0, 1, steps).cuda()
    b = torch.arange(0, 1, 0.1).cuda()  # expect: TPL201 @ torch.arange(0, 1, 0.1).cuda()
    c = torch.hann_window(n).to("cuda")  # expect: TPL201 @ torch.hann_window(n).to("cuda")
    d = torch.rand(n, 3).cuda()  # expect: TPL201 @ torch.rand(n, 3).cuda()
    e = torch.randint(0, n, (n,)).cuda()  # expect: TPL201 @ torch.randint(0, n, (n,)).cuda()
    f = torch.randperm(n)[:10].cuda()  # expect: TPL201 @ torch.randperm(n)[:10].cuda()
    g = torch.zeros(n, requires_grad=True).cuda()  # expect: TPL201 @ torch.zeros(n, requires_grad=True).cuda()
    return a, b, c, d, e, f, g


# case: in a module, on the device of its input, and over several lines
class Positions(nn.Module):
    def __init__(self, length):
        super().__init__()
        self.embedding = nn.Embedding(length, 64)

    def forward(self, x):
        places = (
            torch.arange(x.shape[1])
            .unsqueeze(0)
            .expand(x.shape[0], -1)
            .to(x.device)  # expect: TPL201 @ to
        )
        mask = torch.zeros(
            x.shape[0],
            x.shape[1],  # as long as the input
        ).to(x.device)  # expect: TPL201 @ to
        return self.embedding(places) * mask[..., None]


# case: filled in other ways, moved under another name
def filled(n: int, device: torch.device):
    mask = torch.ones(n, n, dtype=torch.bool)
    mask[0] = False
    mask[:, 2:].fill_(False)
    mask = mask.to(device)  # expect: TPL201 @ mask.to(device)
    weight = torch.empty(n).fill_(0.5)
    prior = torch.zeros(n)
    prior.fill_(1 / n)
    return mask, weight, prior.to(device)  # expect: TPL201 @ prior.to(device)


# case: an argument that is only called a device makes a fix that a person looks at
def named(n, device):
    return torch.zeros(n).to(device)  # expect: TPL201 @ torch.zeros(n).to(device)


# case: `.cuda(gpu)` with a gpu that may be None has no fix
def of_gpu(args, n):
    return torch.zeros(n).cuda(args.gpu)  # expect: TPL201 @ torch.zeros(n).cuda(args.gpu)


# ok: made where it belongs
def made_there(n, device, x: torch.Tensor):
    return torch.zeros(n, device=device), torch.zeros_like(x).cuda(), x.new_zeros(n).to(device), torch.zeros(n)


# ok: it stays on the CPU, or only its dtype changes
def on_cpu(n: int, dtype: torch.dtype):
    host = torch.device("cpu")
    return torch.zeros(n).to(host), torch.ones(n).to("cpu"), torch.zeros(n).to(dtype), torch.zeros(n).to(torch.float16)


# ok: what the argument is, nobody knows
def of_other(n, other, **options):
    return torch.zeros(n).to(other), torch.zeros(n).to(*other), torch.zeros(n, **options).cuda()


# ok: random numbers of a generator of the CPU, so that they are the same on each machine
def seeded(n, generator, device: torch.device):
    a = torch.randn(n, generator=generator).to(device)
    # drawn on the CPU, so that results are reproducible
    b = torch.randn(n).to(device)
    c = torch.rand(n).to(device)  # the same seed on each device
    return a, b, c


# ok: page-locked memory for a copy, a device that the context gives, the meta device
def staged(n: int):
    a = torch.empty(n, pin_memory=True).to("cuda", non_blocking=True)
    with torch.device("cuda"):
        b = torch.zeros(n).to("cuda")
    with torch.device("meta"):
        c = torch.zeros(n).to("cuda")
    d = torch.zeros(n, device="meta").to("cuda")
    return a, b, c, d


# ok: read, or written one by one, before it is moved
def built(n: int, rows: list):
    table = torch.zeros(n, 3)
    for i, row in enumerate(rows):
        table[i] = torch.tensor(row)
    table = table.cuda()
    total = torch.zeros(n)
    total[0] = 3.0
    total = total.cuda()
    mask = torch.zeros(n)
    mask[2:] = 1
    print(mask.sum())
    mask = mask.cuda()
    kept = torch.zeros(n)
    kept[2:] = 1
    return table, total, mask, kept.cuda(), kept


# ok: arrays and lists look alike
import numpy as np


def arrays(n, x):
    return np.zeros(n).astype("float32"), np.ones(n), x.zeros(n).to("cuda")


# missed: the device is chosen between making and moving
def chosen(n, use_gpu):
    x = torch.zeros(n)
    device = torch.device("cuda" if use_gpu else "cpu")
    return (x * 2).to(device)


# ok: the author says why, for all that follows
def traced(h: int, w: int, like: torch.Tensor):
    # the device comes from the input in traces, which a literal would not
    rows = torch.arange(h).type_as(like)
    columns = torch.arange(w).type_as(like)
    return rows[:, None] + columns


# ok: a part of what is unknown is moved
def windows(batches, index, device):
    return batches[index].to(device), batches[...].to(device)


# case: the copy does not block, and the host works on meanwhile; it was needless all the same
def overlapped(n: int):
    first = torch.randn(n, n).to("cuda", non_blocking=True)  # expect: TPL201 @ torch.randn(n, n).to("cuda", non_blocking=True)
    second = torch.randn(n, n)
    second = torch.cos(torch.sin(second)) @ second
    first += 10
    return first, second


# ok: a copy whose time is measured, from pageable or from page-locked memory
def copy_time(shape, pin):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    x = torch.rand(shape)
    if pin:
        x = x.pin_memory()
    start.record()
    x = x.to("cuda")
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end)


# ok: what a module or an optimizer makes for itself, once
class Search(nn.Module):
    def __init__(self, paths: int, device: str = "cpu"):
        super().__init__()
        self.device = device
        self.choice = torch.ones(paths, 3).to(self.device)
        self._init_prior(paths)

    def _init_prior(self, paths):
        self.prior = torch.zeros(paths).to(self.device)


class Averaged(torch.optim.Optimizer):
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["average"] = torch.zeros([]).to(p.device)
                if not state:
                    state["square"] = torch.zeros(3).to(p.device)
                p.data.add_(state["average"])


# case: an object that forward makes anew at each call
class Causal:
    def __init__(self, length, device: torch.device):
        self.mask = torch.ones(length, length, dtype=torch.bool).to(device)  # expect: TPL201 @ torch.ones(length, length, dtype=torch.bool).to(device)


class Masked(nn.Module):
    def forward(self, x):
        return x * Causal(x.shape[1], x.device).mask


# ok: how the data are split is drawn once, and would be split otherwise on the GPU
device = torch.device("cuda")
order = torch.randperm(2708).to(device)
train, test = order[:2000], order[2000:]


# ok: the totals of an epoch are made once for all its steps
def run_epoch(model, loader: torch.utils.data.DataLoader, optimizer, rank: int):
    totals = torch.zeros(2).to(rank)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x.to(rank)), y.to(rank))
        loss.backward()
        optimizer.step()
        totals[0] += loss.detach()
    return totals


# ok: once an image, around the steps of its sampler
class Painter:
    def __init__(self, encoders, unet, scheduler):
        self.encoders = encoders
        self.unet = unet
        self.scheduler = scheduler

    def encode(self, prompt, device: torch.device):
        found = []
        for encoder in self.encoders:
            empty = torch.zeros(1, 77).to(device)
            found.append(encoder(prompt, empty))
        return found, torch.zeros(77, 3).to(device)

    def __call__(self, prompt, device: torch.device):
        states, places = self.encode(prompt, device)
        x = torch.full((1, 4), 7).to(device)
        for i, t in enumerate(self.scheduler.timesteps):
            x = self.scheduler.step(self.unet(x, states, places), t, x).prev_sample
        return x


# ok: it stands in for an operator of another runtime, and runs while the model is exported
class Suppress(torch.autograd.Function):
    @staticmethod
    def forward(ctx, boxes: torch.Tensor):
        return torch.arange(100, 120).to(boxes.device)

    @staticmethod
    def symbolic(g, boxes):
        return g.op("NonMaxSuppression", boxes)


# case: a generator goes on at each step
def batches(rows):
    while True:
        yield torch.randint(0, 2, (rows, 8)).cuda()  # expect: TPL201 @ torch.randint(0, 2, (rows, 8)).cuda()


endless = batches(4)


def drawn(turns, rows):
    for _ in range(turns):
        x = torch.randn(rows, 8)
        yield x.cuda()  # expect: TPL201 @ x.cuda()


def fit(model: nn.Module, optimizer, turns):
    for x in drawn(turns, 4):
        model(x).sum().backward()
        optimizer.step()


# ok: what an object makes for itself, or where the device is left to its default, and nothing in sight runs it at each step
from typing import Optional, Union


class Runtime:
    def __init__(self, session, device: torch.device):
        self.session = session
        self.device = device

    def load(self):
        self.outputs = [torch.empty(each.shape).to(self.device) for each in self.session.get_outputs()]


def red(height: int, width: int, device: Union[str, torch.device, None]):
    image = torch.zeros(3, height, width)
    image[0] = 255
    return image.to(device=device)


def padding(points: int, device: Optional[torch.device] = None):
    return torch.zeros(points, 3).to(device)


# ok: a module that puts its layers together for good
class Branches(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.convs = nn.ModuleList([nn.Conv2d(width, width, 1) for _ in range(2)])

    def forward(self, x):
        return sum(conv(x) for conv in self.convs)

    def _bias_of(self, conv: nn.Conv2d):
        return conv.bias if conv.bias is not None else torch.zeros(conv.out_channels).to(conv.weight.device)

    def switch_to_deploy(self):
        bias = 0
        for conv in self.convs:
            bias = bias + self._bias_of(conv)
        self.bias = bias


# case: where a tensor is given the code may run at every step: a hint
def pairs(labels: torch.Tensor, number: int):
    device = labels.device
    return labels[:number], torch.zeros(number, 3).to(device)  # expect: TPL201 @ torch.zeros(number, 3).to(device)


class Sampler:
    def points(self, labels: torch.Tensor):
        return labels + torch.ones(3).to(labels.device)  # expect: TPL201 @ torch.ones(3).to(labels.device)


# ok: a demonstration that takes one step
def demonstrate(rank: int):
    model = nn.Linear(8, 4).to(rank)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    labels = torch.randn(20, 4).to(rank)
    nn.functional.mse_loss(model(torch.randn(20, 8)), labels).backward()
    optimizer.step()


demonstrate(0)


# ok: a total is made once for all turns of its loop
def likelihood(model, inputs: torch.Tensor, steps):
    total = torch.zeros(inputs.shape[0]).to(inputs.device)
    for t in steps:
        total += model(inputs, t).flatten(1).sum(dim=1)
    return total


# case: on the device of a tensor there are the same bits, be it known for a tensor or not
class Positions(nn.Module):
    # run: Positions()(floats("n c"))
    def forward(self, x):
        rows = torch.arange(x.shape[0]).to(x.device)  # expect: TPL201 @ torch.arange(x.shape[0]).to(x.device)
        grid = torch.zeros(x.shape[0], 4).to(x.device)  # expect: TPL201 @ torch.zeros(x.shape[0], 4).to(x.device)
        same = torch.eye(3).to(device=x.device)  # expect: TPL201 @ torch.eye(3).to(device=x.device)
        return rows, grid, same, torch.ones(x.shape[0]).to(x.device)  # expect: TPL201 @ torch.ones(x.shape[0]).to(x.device)


# case: how much it is stands in the message, and a few bytes are a hint
def noise(x: torch.Tensor):
    for _ in range(1000):
        x = x.cuda() + torch.randn(1024, 1024).to(x.device)  # expect: TPL201 @ torch.randn(1024, 1024).to(x.device)
        x = x * torch.ones(3).to(x.device)  # expect: TPL201 @ torch.ones(3).to(x.device)
    return x


# case: a grid is put together on the host out of what was made there
class Lookup:
    def __call__(self, coords: torch.Tensor, r: int):
        dx = torch.linspace(-r, r, 2 * r + 1)
        dy = torch.linspace(-r, r, 2 * r + 1)
        delta = torch.stack(torch.meshgrid(dy, dx), axis=-1).to(coords.device)  # expect: TPL201 @ torch.stack(torch.meshgrid(dy, dx), axis=-1).to(coords.device)
        pairs = torch.cat([torch.zeros(3), torch.ones(3)])
        return coords + delta, pairs.to(coords.device)  # expect: TPL201 @ pairs.to(coords.device)


# case: a function of the program makes it on the host
def causal(n: int) -> torch.Tensor:
    """The mask of a decoder."""
    mask = torch.ones(n, n).tril()
    return mask


class Decoder(nn.Module):
    def positions(self, n: int):
        return torch.stack([torch.arange(n), torch.arange(n)])

    def forward(self, x: torch.Tensor):
        mask = causal(x.shape[1]).to(x.device)  # expect: TPL201 @ causal(x.shape[1]).to(x.device)
        places = self.positions(x.shape[1])
        return mask, places.to(x.device)  # expect: TPL201 @ places.to(x.device)


# ok: what a function keeps, reads from somewhere, or makes where it is told
import functools


@functools.lru_cache
def kept(n: int):
    return torch.ones(n, n).tril()


def placed(n: int, device: torch.device):
    return torch.ones(n, n, device=device).tril()


def converted(values):
    return torch.from_numpy(values)


class Told(nn.Module):
    def __init__(self, n: int):
        super().__init__()
        self.mask = causal_once(n).to("cuda")

    def forward(self, x: torch.Tensor, values):
        return kept(3).to(x.device), placed(3, x.device).to(x.device), converted(values).to(x.device)


def causal_once(n: int):
    return torch.ones(n, n).tril()


# ok: a part of it comes from somewhere else, or it is made once
class Joined(nn.Module):
    def __init__(self, device: torch.device):
        super().__init__()
        self.grid = torch.stack(torch.meshgrid(torch.arange(3), torch.arange(3))).to(device)

    def forward(self, x: torch.Tensor, lengths):
        ends = torch.cat([torch.zeros(1), torch.from_numpy(lengths.numpy())])
        here = torch.stack(torch.meshgrid(torch.arange(3, device=x.device), torch.arange(3, device=x.device)))
        return ends.to(x.device), here.to(x.device)


# case: moved where there is a GPU, by way of another name
class Steps(nn.Module):
    def forward(self, x: torch.Tensor, lengths: torch.Tensor):
        steps = torch.arange(0, 100).long()
        table = steps.unsqueeze(0).expand(8, 100)
        if lengths.is_cuda:
            table = table.cuda()  # expect: TPL201 @ table.cuda()
        window = torch.ones(1, 1, 256, 256)
        if torch.cuda.is_available():
            window = window.to(x.device)  # expect: TPL201 @ window.to(x.device)
        return table < lengths.unsqueeze(1), window


# ok: read on the CPU before, moved on another condition, or to another name, what more is done
class Otherwise(nn.Module):
    def forward(self, x: torch.Tensor, wanted: bool):
        steps = torch.arange(0, 100)
        first = steps.numpy()
        if x.is_cuda:
            steps = steps.cuda()
        window = torch.ones(1, 1, 256, 256)
        if x.is_cuda:
            moved = window.cuda()
            first = moved + x
        return steps, window, first


# ok: there is nothing in it
class Prompted(nn.Module):
    def forward(self, x: torch.Tensor, width: int):
        return torch.cat([torch.zeros(1, 0, width).to(x.device), x], dim=1)


# ok: made once, for a device of the object's own settings
class Collected:
    def _start_collecting(self, width: int):
        self.last = torch.zeros(256, width).to(self._settings.device)
