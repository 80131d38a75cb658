"""What ordinary programs leave unsaid: the device by default, who calls a method, what a loop carries, an array's dtype."""

import cv2
import numpy as np
import torch
from torch import nn


# ---- a device by default


def build(inputs: int, device="cuda:0", place: str = "cuda", host="cpu"):
    model = nn.Linear(inputs, 4).to(device)  # fact: model => module, maybe
    other = nn.Linear(inputs, 4).to(place)  # fact: other => module, maybe
    third = nn.Linear(inputs, 4).to(host)  # fact: third => module, no device
    return model, other, third


class Runner:
    def __init__(self, config, make):
        self.device = config.device
        self.net = nn.Linear(3, 3).to(self.device)  # fact: self.net => module, maybe
        self.made: nn.Module = make(config).to(torch.device("cuda"))  # fact: self.made => module, cuda


def trained(model, loader, device: str = "cuda"):
    model = model.to(device).train()  # fact: model => module, maybe
    for x, y in loader:
        yield model(x.to(device)).sub(y.to(device)), list(model.parameters())


# ---- what only a tensor takes


def peaks(scores, table, frame):
    best, place = scores.max(dim=-1)  # fact: best => tensor && place => tensor
    high = table.max(axis=1)  # fact: table => unknown
    mean = frame.mean(dim="time")  # fact: frame => unknown
    return best, place, high, mean


# ---- who calls a method of an object


class Bank:
    def __init__(self, size: int):
        self.rows = torch.zeros(size, 8, device="cuda")

    def push(self, z):
        self.rows = z.detach()  # fact: z => tensor, cuda && z.detach() => STEP

    def report(self):
        return self.rows.mean()  # fact: self.rows.mean() => ONCE


class Matcher:
    def __call__(self, scores):
        return scores > 0.5  # fact: scores > 0.5 => STEP


class Epoch:
    def __init__(self):
        self.match = Matcher()

    def run(self, model: nn.Module, loader: torch.utils.data.DataLoader, optimizer):
        bank = Bank(100)
        for x in loader:
            z = model(x.cuda())
            bank.push(z)
            self.match(z)
            z.sum().backward()
            optimizer.step()
        return bank.report()


# ---- what a loop carries


def relax(u, tolerance: float, turns: int):
    u = u.cuda()
    for _ in range(turns):
        new = u.roll(1, 0) * 0.5
        error = (new - u).abs().max()  # fact: new - u => STEP
        u = new
        if error < tolerance:
            break
    return u


def waves(turns: int):
    old, now = torch.zeros(64, device="cuda"), torch.ones(64, device="cuda")
    for _ in range(turns):
        nxt = 2 * now - old  # fact: 2 * now => STEP
        old, now = now, nxt
    return now


def pairs(x, turns: int):
    x = x.cuda()
    for _ in range(turns):
        left = x.roll(1)
        both = left * x  # fact: left * x => ONCE
        left = both.sum()
    return left


def typed(x, turns: int):
    u = x.cuda()
    for _ in range(turns):
        new: torch.Tensor = u.roll(1) * 0.5  # fact: u.roll(1) => STEP
        u: torch.Tensor = new
    return u


def tried(x, turns: int, read):
    state = x.cuda()
    for _ in range(turns):
        try:
            state = read(x).cuda()
        except OSError:
            state = x.cuda()
        state = state.roll(1) * 0.5  # fact: state.roll(1) => ONCE
    return state


def tried_in_vain(x, turns: int, read):
    state = x.cuda()
    for _ in range(turns):
        try:
            state = read(x).cuda()
        except OSError:
            print("as it was")
        state = state.roll(1) * 0.5  # fact: state.roll(1) => STEP
    return state


def next_if_bad(x, turns: int, read):
    state = x.cuda()
    for _ in range(turns):
        try:
            state = read(x).cuda()
        except OSError:
            continue
        state = state.roll(1) * 0.5  # fact: state.roll(1) => ONCE
    return state


def each_way(x, turns: int, how: str):
    left = x.cuda()
    for _ in range(turns):
        if how == "one":
            left = x.roll(1).cuda()
        else:
            left = x.cuda()
            left = left * 2  # fact: left * 2 => ONCE
    return left


def one_way(x, turns: int, how: str):
    left = x.cuda()
    for _ in range(turns):
        if how == "one":
            left = x.roll(1).cuda()
        else:
            left = left * 2  # fact: left * 2 => STEP
    return left


# ---- the dtype of an array


def arrays(raw: bytes, n: int, frame: np.ndarray):
    grid = torch.from_numpy(np.zeros((3, 4)))  # fact: grid => tensor, cpu, float64
    small = torch.from_numpy(np.zeros((3, 4), dtype=np.float32))  # fact: small => tensor, cpu, float32
    image = torch.from_numpy(np.frombuffer(raw, dtype="uint8").reshape(4, -1))  # fact: image => tensor, cpu, uint8
    cast = torch.as_tensor(frame.astype(np.uint8)[:, ::-1].copy())  # fact: cast => tensor, uint8
    picks = torch.from_numpy(np.random.choice(np.arange(100), 8))  # fact: picks => tensor, cpu, int64
    some = torch.from_numpy(frame)  # fact: some => tensor, cpu, no dtype
    read = torch.from_numpy(cv2.imread("a.png"))  # fact: read => tensor, cpu, no dtype
    return grid, small, image, cast, picks, some, read


# ---- what the constructor keeps, a method that a class below has, and a class below that is made


class Base:
    def __init__(self, model, loader):
        self.model = model.to("cuda")  # fact: model => module
        self.loader = loader  # fact: loader => loader
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def fit(self):
        for batch in self.loader:
            loss = self.compute(batch)
            loss.backward()
            self.optimizer.step()


class Pairs(Base):
    def compute(self, batch):
        raise NotImplementedError


class Far(Pairs):
    def compute(self, batch):
        return self.model(batch.cuda()).mean()  # fact: self.model(batch.cuda()) => STEP


def main(data, model):
    Far(model, torch.utils.data.DataLoader(data, batch_size=8)).fit()


def scores(outputs, names):
    best = outputs["logits"].softmax(-1)  # fact: best => tensor
    odd = names["logits"].softmax(best, 1)  # fact: odd => unknown
    return best, odd


def clip_grad_norm(parameters, most):
    norms = torch.stack([p.grad.norm() for p in parameters])
    return norms.norm().clamp(max=most)  # fact: norms.norm() => STEP


def log_grad_norm(parameters):
    norms = torch.stack([p.grad.norm() for p in parameters])
    return norms.norm()  # fact: norms.norm() => ONCE


def grad_norm_of(settings):
    return settings["clip"].norm()  # fact: settings["clip"].norm() => ONCE


# ---- what no more than names suggest


def over_batches(engine, source):
    for index, (batch, last) in engine.profile(enumerate(source)):
        loss = engine.score(batch)  # fact: loss => INFERENCE


def over_other_things(engine, source, n: int):
    for sentence in engine.sentences(source):
        score = engine.score(sentence)  # fact: score => ONCE
    for batch in range(n):
        number = batch + 1  # fact: number => ONCE


class LossScaled:
    def zero_grad(self):
        self.inner.zero_grad()

    def step(self, closure=None):
        norm = self.norm.mean()  # fact: norm => STEP
        self.inner.step()


class Clock:
    def step(self, closure=None):
        now = self.time.mean()  # fact: now => ONCE


class Pipeline:
    def train_batch(self, batches):
        total = self.total.mean()  # fact: total => STEP

    def train_batches(self, batches):
        total = self.total.mean()  # fact: total => ONCE
