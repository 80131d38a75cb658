"""Page-locked memory, buffers that go with their module, and what a cache keeps."""

from functools import lru_cache

import torch
from torch import nn

import world


def made(n: int):
    a = torch.empty(n, pin_memory=True)  # fact: a => tensor, pinned, proven
    b = torch.tensor([1.0], pin_memory=True)  # fact: b => tensor, pinned
    c = torch.empty(n, pin_memory=False)  # fact: c => tensor, cpu
    d = torch.zeros(n, device="cuda", pin_memory=False)  # fact: d => tensor, cuda
    e = torch.full((n,), 1.0).pin_memory()  # fact: e => tensor, pinned
    return a, b, c, d, e


class Kept(nn.Module):
    def __init__(self, n: int):
        super().__init__()
        self.grid = nn.Buffer(torch.arange(n), persistent=False)
        self.table = torch.arange(n)

    @lru_cache(maxsize=None)
    def on(self, device):
        table = self.table.to(device)  # fact: self.table.to(device) => ONCE
        return table

    def part(self, n):
        return self.table[:n]  # fact: self.table[:n] => INNER

    def forward(self, x):
        grid = self.grid  # fact: grid => tensor, int64, no device
        table = self.table  # fact: table => tensor, int64, cpu
        return x + grid + table + self.on(x.device) + self.part(3)


# ---- what has no elements, and what is loaded into a module that is moved later


def collected(boxes, device):
    kept = torch.Tensor([]).long()
    found = torch.Tensor([1.0]).long()
    kept = kept.cuda()  # fact: kept.cuda() => no wait
    found = found.cuda()  # fact: found.cuda() => wait
    return kept, found


def loads(path, device):
    vgg = nn.Linear(3, 3)
    vgg.load_state_dict(torch.load(path))  # fact: torch.load(path) => no wait
    vgg.to(device)
    kept = torch.load(path)  # fact: torch.load(path) => wait
    return vgg, kept


def loads_again(path, device):
    decoder = nn.Linear(3, 3).to(device)
    decoder.load_state_dict(torch.load(path))  # fact: torch.load(path) => wait
    return decoder


# ---- what a loader tells of its samples


def saves(batch, model):
    center = batch["meta"]["c"].cpu().numpy()  # fact: batch['meta']['c'].cpu() => no wait
    heat = batch["maps"]["c"].cpu().numpy()  # fact: batch['maps']['c'].cpu() => wait
    return model(batch["input"].cuda()), center, heat


# ---- a function that only what makes a module calls


def fill_up_weights(up):
    w = up.weight.data
    w[0, 0, 0, 0] = 1.0 - abs(1.0 / w.size(2))  # fact: w[0, 0, 0, 0] => no wait


def fill_later(up):
    w = up.weight.data
    w[0, 0, 0, 0] = w.sum()  # fact: w.sum() => no wait
    return w.sum().item()  # fact: w.sum().item() => wait


class Upsampled(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose2d(3, 3, 4)
        fill_up_weights(self.up)
        fill_later(self.up)

    def forward(self, x):
        return self.up(x) * fill_later(self.up)


# ---- modules that another thing makes and keeps, or that are moved where they are made


class Loss(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("real", torch.tensor(1.0))


class Trainer:
    def __init__(self, device):
        self.device = device
        self.net = nn.Linear(3, 3)
        self.loss = Loss().to(self.device)  # fact: Loss().to(self.device) => wait

    def place(self, device, many):
        if many:
            self.net = nn.DataParallel(self.net).to(device)
        else:
            self.net = self.net.to(device)  # fact: self.net.to(device) => wait


class Holding(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.device = device
        self.loss = Loss().to(self.device)  # fact: Loss().to(self.device) => no wait


def chosen(net, gpu_ids):
    if net == "linear":
        net = nn.Linear(3, 3)
    else:
        net = Loss()
    net.cuda(gpu_ids[0])  # fact: net.cuda(gpu_ids[0]) => wait
    return net


def given(net: nn.Module, gpu_ids):
    net.cuda(gpu_ids[0])  # fact: net.cuda(gpu_ids[0]) => no wait
    return net


class Placed(nn.Module):
    def __init__(self, device=None, other: str = "cpu"):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        if device is not None:
            self.to(device)  # fact: self.to(device) => wait
        self.to(other)  # fact: self.to(other) => no wait
        self.to("cpu")  # fact: self.to("cpu") => no wait
        self.to(torch.float64)  # fact: self.to(torch.float64) => no wait

    def move(self, device):
        self.to(device)  # fact: self.to(device) => no wait


class Beside(nn.Module):
    def __init__(self, net: nn.Module):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        device = next(net.parameters()).device
        self.to(device)  # fact: self.to(device) => no wait
        where = device_of(net)
        self.to(where)  # fact: self.to(where) => no wait


class Contrast(nn.Module):
    def __init__(self, opt):
        super().__init__()
        self.opt = opt
        self.entropy = nn.CrossEntropyLoss()


class Weighted(nn.Module):
    def __init__(self, opt, net):
        super().__init__()
        self.opt = opt
        self.net = net


def losses(opt, net, device):
    a = Contrast(opt).to(device)  # fact: Contrast(opt).to(device) => no wait
    b = Weighted(opt, net).to(device)  # fact: Weighted(opt, net).to(device) => wait
    return a, b


class Saving:
    def __init__(self, net: Placed):
        self.net = net
        self.other = net.cpu()

    def save(self, path):
        torch.save(self.net.cpu(), path)  # fact: self.net.cpu() => wait


def with_options(batch, other, opt, net: nn.Module):
    class Run:
        pass

    run = Run()
    run.opt = opt
    first = batch[0].to(run.opt.device)  # fact: batch[0].to(run.opt.device) => wait
    second = batch[1].to(other.near.device)  # fact: batch[1].to(other.near.device) => no wait
    third = batch[2].to(next(net.parameters()).device)  # fact: batch[2].to(next(net.parameters()).device) => wait
    fourth = batch[3].to(next(iter(other)).device)  # fact: batch[3].to(next(iter(other)).device) => no wait
    return first, second, third, fourth


def refilled(net: nn.Module, values: list[float], size: int):
    like = next(net.parameters()).detach()
    a = like.new([1.0, 2.0])  # fact: like.new([1.0, 2.0]) => wait
    b = like.new(3, size)  # fact: like.new(3, size) => no wait
    c = torch.zeros(3).new([1.0, 2.0])  # fact: torch.zeros(3).new([1.0, 2.0]) => no wait
    return a, b, c


def to_the_place_of_the_program(batch, other):
    first = batch[0].to(world.device)  # fact: batch[0].to(world.device) => wait
    second = batch[1].to(other.device)  # fact: batch[1].to(other.device) => no wait
    return first, second


# ---- what is made on the host: a module, and nothing else; but what its constructor is told to move goes


class Rows:
    def __init__(self, device, count: int):
        self.rows = torch.zeros(count).to(device)  # fact: torch.zeros(count).to(device) => wait


class Still(nn.Module):
    def __init__(self, device, count: int):
        super().__init__()
        self.rows = torch.zeros(count).to(device)  # fact: torch.zeros(count).to(device) => wait
        self.made(device, count)
        self.forward(device, count)

    def made(self, device, count: int):
        return torch.zeros(count).to(device)  # fact: torch.zeros(count).to(device) => no wait

    def forward(self, device, count: int):
        return torch.zeros(count).to(device)  # fact: torch.zeros(count).to(device) => wait


# ---- one part of a batch takes the name of the whole


def of_a_list(model, loader, optimizer):
    for data in loader:
        if isinstance(data, list):
            data = data[0]
        data = data.to("cuda")  # fact: data.to("cuda") => wait
        model(data).mean().backward()
        optimizer.step()
        print(data.size(0))


def of_what_is_there(model, found, optimizer):
    while found:
        found = found[0]
        found = found.to("cuda")  # fact: found.to("cuda") => no wait
        model(found).mean().backward()
        optimizer.step()
        print(found.size(0))


# ---- Python's types are dtypes, and no devices


def of_python(done: torch.Tensor, device):
    host = torch.zeros(3)
    whole = host.to(int)  # fact: whole => tensor, cpu, int64
    truth = host.to(bool)  # fact: truth => tensor, cpu, bool
    wide = host.to(float)  # fact: wide => tensor, cpu, float64
    pairs = host.to(dtype=complex)  # fact: pairs => tensor, cpu, complex128
    there = host.to(device, int)  # fact: there => tensor, maybe
    return whole, truth, wide, pairs, there, done.to(int)  # fact: done.to(int) => tensor, int64, no device


# ---- of a tensor in a list torch takes one number


class Spoken(torch.nn.Module):
    def forward(self, tokens, scores):
        device = torch.device("cuda")
        first = torch.tensor([tokens[:5]]).to(device)  # fact: torch.tensor([tokens[:5]]) => no wait
        every = torch.tensor([tokens]).to(device)  # fact: torch.tensor([tokens]) => no wait
        return first, every, torch.tensor([scores.sum()])  # fact: torch.tensor([scores.sum()]) => wait
