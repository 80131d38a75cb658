import re

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)

    def forward(self, x):
        return self.body(x).relu()

    def encode(self, x):
        return self.body(x)


# doc: Nothing of this runs compiled
def main(loader):
    net = Net().cuda()
    torch.compile(net)  # expect: TPL706 @ torch.compile(net)
    for x in loader:
        net(x.cuda())


def features(loader):
    net = torch.compile(Net().cuda())
    net.eval()
    return [net.encode(x.cuda()) for x in loader]  # expect: TPL706 @ net.encode


# case: compiled where it is, and the class is torch's own
class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Sequential(nn.Linear(8, 8)))
        self.body.compile()  # expect: TPL706 @ self.body.compile()

    def forward(self, x):
        return self.body(x)


def plain(x):
    head = nn.Linear(8, 8, bias=False, device="cuda").half()
    head.compile(mode="max-autotune")  # expect: TPL706 @ head.compile(mode="max-autotune")
    return head(x)


def dropped(x):
    head = nn.Linear(8, 8).cuda()
    torch.compile(head)  # expect: TPL706 @ torch.compile(head)
    return head(x)


# case: options, TorchScript, a name for it
def more(net: Net):
    torch.compile(net, mode="reduce-overhead", fullgraph=True)  # expect: TPL706 @ torch.compile(net, mode="reduce-overhead", fullgraph=True)
    scripted = torch.jit.script(Net())
    fast = torch.compile(scripted)  # expect: TPL706 @ torch.compile(scripted)
    loaded = torch.compile(torch.jit.load("net.pt"))  # expect: TPL706 @ torch.compile(torch.jit.load("net.pt"))
    return fast, loaded


class Holder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.jit.script(nn.Linear(3, 3))
        self.fast = torch.compile(self.body)  # expect: TPL706 @ torch.compile(self.body)


def step(x):
    return x.relu()


torch.compile(step)  # expect: TPL706 @ torch.compile(step)


# ok: what is given back is kept, handed on, or called
def kept(loader):
    net = torch.compile(Net())
    for x in loader:
        net(x)
        net.encode(x)


def handed(run):
    net = torch.compile(Net())
    net.encode(torch.ones(8))
    run(net)


def given_back():
    net = torch.compile(Net())
    net.encode(torch.ones(8))
    return net


def by_its_forward(x):
    net = torch.compile(Net())
    net.encode(x)
    return net.forward(x)


def read_inside(x):
    net = torch.compile(Net())

    def run():
        return net(x)

    net.encode(x)
    return run()


# ok: compiled where it is, with something of another class in it, or nobody knows what
class Mixed(nn.Module):
    def __init__(self, layers, head: nn.Linear, size: int):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 8), Net())
        self.body.compile()
        self.rest = nn.Sequential(*layers)
        self.rest.compile()
        self.head = head
        self.head.compile()
        self.twice = nn.Linear(8, size)
        self.twice = Net()
        self.twice.compile()
        self.off = nn.Linear(8, 8)
        self.off.compile(disable=True)
        self.two = nn.Sequential(nn.Linear(8, 8), self.twice)
        self.two.compile()


# ok: compiled where it is, as a decorator, without a module, of a function
@torch.compile
def decorated(x):
    return x * 2


def in_place(net: Net):
    net.compile()
    re.compile("x")
    options = torch.compile(mode="reduce-overhead")
    return options(net)


@torch.jit.script
def scripted(x: torch.Tensor):
    return x * 2


fast = torch.compile(scripted)


# ok: only what every module has
def only_counted():
    net = torch.compile(Net())
    net.train()
    return sum(p.numel() for p in net.parameters())


# ok: a method that is compiled too
def both(x):
    net = torch.compile(Net())
    net.encode = torch.compile(net.encode)
    return net.encode(x)


# ok: switched off
def off(net: Net):
    torch.compile(net, disable=True)
