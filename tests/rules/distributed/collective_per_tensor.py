import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP



# doc: A collective for each gradient
def average(model: nn.Module):
    for p in model.parameters():
        dist.all_reduce(p.grad)  # expect: TPL809 @ dist.all_reduce(p.grad)
        p.grad /= dist.get_world_size()


def train(model: nn.Module, optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()
        average(model)
        optimizer.step()


# case: weights, by name
def train(model: nn.Module, optimizer, loader):
    for x, y in loader:
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()
        optimizer.step()
        for name, p in model.named_parameters():
            dist.broadcast(p.data, src=0)  # expect: TPL809 @ dist.broadcast(p.data, src=0)


# ok: once
def start(model: nn.Module):
    for p in model.parameters():
        dist.broadcast(p.data, src=0)


# ok: none waits for another
def train(model: nn.Module, optimizer, loader):
    for x, y in loader:
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()
        waits = []
        for p in model.parameters():
            waits.append(dist.all_reduce(p.grad, async_op=True))
        for each in waits:
            each.wait()
        optimizer.step()


# ok: one for all
def train(model: nn.Module, optimizer, loader):
    for x, y in loader:
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()
        flat = torch.cat([p.grad.flatten() for p in model.parameters()])
        dist.all_reduce(flat)
        for p, part in zip(model.parameters(), flat.split([p.numel() for p in model.parameters()])):
            p.grad.copy_(part.view_as(p))
        optimizer.step()


# ok: on the host
def train(model: nn.Module, optimizer, loader):
    dist.init_process_group("gloo")
    for x, y in loader:
        F.cross_entropy(model(x), y).backward()
        for p in model.parameters():
            dist.all_reduce(p.grad)
        optimizer.step()


# ok: every thousand steps
def train(model: nn.Module, optimizer, loader):
    for step, (x, y) in enumerate(loader):
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()
        optimizer.step()
        if step % 1000 == 0:
            for p in model.parameters():
                dist.broadcast(p.data, src=0)
