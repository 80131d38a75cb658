import random
import time

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)

    def forward(self, x):
        return self.body(x).relu()


# doc: A training step that a graph captures
def capture(loader):
    net = Net().cuda()
    x = torch.zeros(4, 8, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = net(x)
        loss = y.sum()
        worst = loss.item()  # expect: TPL705 @ loss.item()
        if loss > 100:  # expect: TPL705 @ loss > 100
            y = y / loss
        y = y * random.random()  # expect: TPL705 @ random.random()
    outputs = []
    for batch in loader:
        x = batch.cuda()  # expect: TPL705 @ x
        graph.replay()
        outputs.append(loss)  # expect: TPL705 @ outputs.append(loss)
    return outputs, worst


# case: a constant that the host makes at the capture
def constants():
    x = torch.zeros(4, 8, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = x * torch.tensor([1.0, 2.0]).cuda()  # expect: TPL705 @ torch.tensor([1.0, 2.0]).cuda()
    return graph, y


# case: what a captured block calls, what a graph is made of
def step(x):
    y = x * 2
    kept = y[y > 0]  # expect: TPL705 @ y[y > 0]
    torch.cuda.synchronize()  # expect: TPL705 @ torch.cuda.synchronize()
    return kept


def capture_calls():
    x = torch.zeros(4, 8, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step(x)
    return graph


class Checked(nn.Module):
    def forward(self, x):
        scale = np.random.rand()  # expect: TPL705 @ np.random.rand()
        began = time.perf_counter()  # expect: TPL705 @ time.perf_counter()
        assert x.cuda().sum() > 0  # expect: TPL705 @ x.cuda().sum() > 0
        return x * scale + began


graphed = torch.cuda.make_graphed_callables(Checked().cuda(), (torch.zeros(4, 8, device="cuda"),))


# ok: inputs are filled, outputs copied, values read after the replay
def replays(loader):
    net = Net().cuda()
    x = torch.zeros(4, 8, device="cuda")
    for _ in range(3):
        net(x).sum().item()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = net(x)
        y = y + torch.rand(8, device="cuda")
        total = torch.where(y > 0, y, -y).sum()
    outputs, totals = [], []
    for batch in loader:
        x.copy_(batch)
        graph.replay()
        outputs.append(y.clone())
        totals.append(total.item())
    return outputs, totals


# ok: behind a question about capture, at a gate
def asked(x, step, graph):
    with torch.cuda.graph(graph):
        y = x.cuda() * 2
        if not torch.cuda.is_current_stream_capturing():
            print(y.sum().item())
        if step % 100 == 0:
            print(y.sum().item())
    return y


# ok: another thing that is called so; a name that the loop itself reads
def other(tool, x, loader):
    with tool.graph(x):
        print(x.cuda().sum().item())
    kept = []
    for batch in loader:
        x = batch.cuda()
        kept.append(x)
        tool.replay()
    return kept


# ok: an input that is bound anew and used beside the replay
def used(loader, net):
    x = torch.zeros(4, 8, device="cuda")
    graph = torch.cuda.CUDAGraph()
    static = torch.zeros(4, 8, device="cuda")
    with torch.cuda.graph(graph):
        y = net(static)
    for batch in loader:
        x = batch.cuda()
        static.copy_(x)
        graph.replay()
        y.sum().item()


# case: outputs of compiled code that replays graphs
def collect(loader):
    net = torch.compile(Net().cuda(), mode="reduce-overhead")
    kept, losses = [], []
    for batch in loader:
        y = net(batch.cuda())
        kept.append(y)  # expect: TPL705 @ kept.append(y)
        losses.append(net(batch.cuda()).detach())  # expect: TPL705 @ losses.append(net(batch.cuda()).detach())
    return kept, losses


# ok: copies, numbers, another mode, and what is kept once
def copied(loader):
    net = torch.compile(Net().cuda(), mode="reduce-overhead")
    plain = torch.compile(Net().cuda(), mode="default")
    kept = []
    for batch in loader:
        y = net(batch.cuda())
        kept.append(y.clone())
        kept.append(y.sum().item())
        kept.append(y.cpu())
        z = plain(batch.cuda())
        kept.append(z)
    last = net(torch.zeros(4, 8, device="cuda"))
    kept.append(last)
    return kept


# ok: of what the mode is nobody knows
def by_setting(loader, mode):
    net = torch.compile(Net().cuda(), mode=mode)
    kept = []
    for batch in loader:
        kept.append(net(batch.cuda()))
    return kept
