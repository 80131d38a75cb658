"""What is made once and kept runs seldom, however hot its place is."""

import torch
from torch import nn

tables = {}


class Kept(nn.Module):
    def forward(self, x):
        key = (x.dtype, x.device)
        if key not in tables:
            made = torch.tensor([1, 2, 3])  # fact: made => gated
            tables[key] = made.to(x.device)
        if self.grid is None:
            self.grid = torch.tensor([0.5]).to(x.device)  # fact: torch.tensor([0.5]) => gated
        if self.shape is None or self.shape != x.shape:
            self.shape = tuple(x.shape)  # fact: tuple(x.shape) => gated
        if not hasattr(self, "scale"):
            self.scale = torch.tensor(2.0)  # fact: torch.tensor(2.0) => gated
        return x * tables[key] * self.grid

    def weigh(self, x):
        if self.weight.ndim == 0:
            self.weight = self.weight.repeat(x.shape[1])  # fact: self.weight.repeat(x.shape[1]) => gated
        if self.weight.device != x.device:
            self.weight = self.weight.to(x.device)  # fact: self.weight.to(x.device) => gated
        if self.weight.dim() == 1:
            self.scale = self.weight.sum().item()  # fact: self.weight.sum().item() => not gated
        if self.weight.numel() > 3:
            self.weight = self.weight.unique()  # fact: self.weight.unique() => not gated
        return x * self.weight


def step(parameters, states, rate):
    for p in parameters:
        state = states[p]
        if len(state) == 0:
            state["average"] = torch.zeros(3).to(p.device)  # fact: torch.zeros(3) => gated
        if len(p.grad) == 0:
            state["count"] = torch.ones(3).to(p.device)  # fact: torch.ones(3) => not gated


class NotKept(nn.Module):
    def forward(self, x, mask=None):
        if mask is None:
            mask = torch.tensor([1, 2]).to(x.device)  # fact: torch.tensor([1, 2]) => not gated
        if x.dtype not in tables:
            x = torch.tensor([3, 4]).to(x.device)  # fact: torch.tensor([3, 4]) => not gated
        if self.grid is None:
            x = torch.tensor([5, 6]).to(x.device)  # fact: torch.tensor([5, 6]) => not gated
        else:
            self.grid = torch.tensor([7, 8]).to(x.device)  # fact: torch.tensor([7, 8]) => not gated
        return x, mask


class Head(nn.Module):
    def compute_loss(self, x, y):
        return (x - y).abs().mean()  # fact: x - y => INNER

    def describe(self, x):
        return x.mean()  # fact: x.mean() => ONCE


class Report:
    def compute_loss(self, x, y):
        return abs(x - y)  # fact: x - y => ONCE


def cast(rows, starts):
    for row, start in zip(rows, starts):
        index = start[:, 0].to(torch.int64)
        other = row.to(dtype=torch.float32)
        row = row * other[index]  # fact: other => ONCE


def sent(rows, device):
    for row in rows:
        row = row.float().to(device)  # fact: row.float() => STEP


class Steps(torch.optim.Optimizer):
    def step(self, closure=None):
        for p in self.param_groups[0]["params"]:
            state = self.state[p]
            if len(state) == 0:
                state["step"] = torch.tensor(0.0)  # fact: torch.tensor(0.0) => gated
            if not state:
                state["step"] = torch.tensor(1.0)  # fact: torch.tensor(1.0) => gated
            if not self.fast:
                state["step"] = torch.tensor(2.0)  # fact: torch.tensor(2.0) => not gated
            if len(state) == 1:
                state["step"] = torch.tensor(3.0)  # fact: torch.tensor(3.0) => not gated


def denoised(network, scheduler, x, times):
    for t in times:
        noise = network(x, t.expand(3).to(x.dtype))
        x = scheduler.step(noise, t, x)[0]  # fact: scheduler.step(noise, t, x) => STEP
    return x


def logged(recorder, rows):
    for row in rows:
        recorder.step(row, 1, 2)  # fact: recorder.step(row, 1, 2) => ONCE


def train(model, loader, optimizer):
    check(model)  # fact: check(model) => ONCE
    for x in loader:
        model(x).backward()
        optimizer.step()


def search(model, loader, optimizer):
    for _ in range(10):
        rates = generate(10)  # fact: generate(10) => ONCE
        train(model, loader, optimizer)


def answer(model, prompts):
    for prompt in prompts:
        text = model.generate(prompt)  # fact: model.generate(prompt) => INFERENCE
    return text


def compressed(files, device, dtype):
    for file in files:
        state = torch.load(file)
        for name in state:
            state[name] = state[name].to(device, dtype)  # fact: state[name].to(device, dtype) => ONCE


# ---- what follows `if self.inited: return` runs once, where it sets the flag


class Codebook(nn.Module):
    def __init__(self, size: int, width: int):
        super().__init__()
        self.register_buffer("inited", torch.Tensor([False]))
        self.register_buffer("embed", torch.zeros(size, width))

    def start(self, x):
        if self.inited:
            return
        counts = torch.bincount(x.argmax(-1).flatten())  # fact: counts => gated
        self.embed.data.copy_(counts[:, None].expand_as(self.embed))
        self.inited.data.copy_(torch.Tensor([True]))

    def again(self, x):
        if self.inited:
            return
        counts = torch.bincount(x.argmax(-1).flatten())  # fact: counts => not gated
        self.embed.data.copy_(counts[:, None].expand_as(self.embed))

    def forward(self, x):
        self.start(x)
        self.again(x)
        return x @ self.embed.t()


# ---- a flag may be a number that is 0 or 1, and another method may hold it open again


class Normed(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.loc = nn.Parameter(torch.zeros(width))
        self.register_buffer("initialized", torch.tensor(0, dtype=torch.uint8))
        self.register_buffer("done", torch.tensor(0.0))
        self.register_buffer("started", torch.tensor(0))
        self.turns = 0

    def forward(self, x):
        if self.training and self.initialized.item() == 0:
            mean = x.mean(0)  # fact: mean => gated
            self.loc.data.copy_(-mean)
            self.initialized.fill_(1)
        if not self.done > 0.0:
            self.loc.data = x.std(0)  # fact: x.std(0) => gated
            self.done = torch.tensor(1.0)
        if self.initialized.item() == 1:
            low = x.amin(0)  # fact: low => not gated
            self.loc.data.copy_(low)
            self.initialized.fill_(1)
        if self.started.item() == 0:
            top = x.amax(0)  # fact: top => not gated
            self.loc.data.copy_(top)
            self.started.fill_(1)
        if self.turns == 0:
            half = x.median(0).values  # fact: half => not gated
            self.loc.data.copy_(half)
            self.turns = 1
        self.turns += 1
        return x + self.loc

    def restart(self):
        self.started.zero_()


# ---- what is too large for one call is given to the same function part by part


def meshed(points: torch.Tensor):
    if points.shape[0] > 1_000_000:
        whole = torch.zeros(0, 3, device="cuda")
        for part in torch.chunk(points.cuda(), 4):
            found = meshed(part)  # fact: found => ONCE
            whole = torch.unique(torch.cat([whole, found]), dim=0)
        return whole
    return points[points[:, 0] > 0]


def drifted(points: torch.Tensor):
    whole = torch.zeros(3, device="cuda")
    for part in torch.chunk(points.cuda(), 4):
        whole = (whole + part).tanh()  # fact: whole => STEP
    return whole


# ---- what is made behind `if it is there: return it`


class Halo(nn.Module):
    def neighbours(self, x, key):
        if self.halo is not None and self.made_for == key:
            return self.halo
        found = x.nonzero()  # fact: found => gated
        self.halo = found
        self.made_for = key
        return self.halo

    def by_key(self, x, key):
        if key in self.maps:
            return self.maps[key]
        found = x.nonzero()  # fact: found => gated
        self.maps[key] = found
        return found

    def asked_otherwise(self, x, key):
        if self.halo is not None:
            return self.halo
        found = x.nonzero()  # fact: found => not gated
        self.made_for = key
        return found

    def given(self, x, key):
        if key is not None:
            return self.halo
        self.halo = x.nonzero()  # fact: x.nonzero() => not gated
        return self.halo
