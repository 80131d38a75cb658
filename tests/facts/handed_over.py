import io

import numpy as np
import torch
from torch import nn


class Trainer:  # a module that a constructor is given was made on the host, and nobody has moved it
    def __init__(self, model: nn.Module, net: nn.Module, head: nn.Module, device="cpu", gpus=None):
        self.device = torch.device(device)
        self.model = model
        if gpus:
            self.model = nn.DataParallel(self.model)
        self.model.to(self.device)  # fact: self.model.to(self.device) => wait
        self.net = net.to(head.device)  # fact: net.to(head.device) => no wait
        self.head = head.to(self.device)  # fact: head.to(self.device) => wait

    def fit(self, batch):
        self.model.to(self.device)  # fact: self.model.to(self.device) => no wait


class OnCuda:  # `cuda` says by its name where to
    def __init__(self, net: nn.Module, head: nn.Module, tail: nn.Module, gpus):
        self.net = net.cuda()  # fact: net.cuda() => wait
        self.head = head
        self.head.cuda(gpus[0])  # fact: self.head.cuda(gpus[0]) => wait
        self.tail = tail.cuda(non_blocking=True)  # fact: tail.cuda(non_blocking=True) => no wait

    def fit(self, other: nn.Module):
        self.net.cuda()  # fact: self.net.cuda() => no wait
        return other.cuda()  # fact: other.cuda() => no wait


class Meta(nn.Module):  # what a constructor moves to the device that it is given goes there
    def __init__(self, n, device, other=None):
        super().__init__()
        self.sums = torch.zeros(n, n).to(device)  # fact: torch.zeros(n, n).to(device) => wait
        self.linear = nn.Linear(n, 1).to(device)  # fact: nn.Linear(n, 1).to(device) => wait
        self.others = torch.zeros(n, n).to(other)  # fact: torch.zeros(n, n).to(other) => no wait


def network(name):
    net = nn.Linear(3, 3) if name == "a" else nn.Linear(3, 4)
    return net.to("cuda" if torch.cuda.device_count() > 0 else "cpu")


def moved_twice(args, device):
    net = network(args.name).to(device)  # fact: network(args.name).to(device) => no wait
    return net, nn.Linear(3, 3).to(device)  # fact: nn.Linear(3, 3).to(device) => wait


class Instructor:  # what is saved of a model that works on the GPU
    def __init__(self, opt):
        self.opt = opt
        self.model = opt.model_class(opt).to(opt.device)

    def keep(self, path, epoch, height):
        torch.save(self.model.state_dict(), path)  # fact: torch.save(self.model.state_dict(), path) => wait
        states = [self.model.state_dict(), epoch]
        states.append(height)
        torch.save(states, path)  # fact: torch.save(states, path) => wait
        rays = self.model(epoch)
        torch.save({"height": height, "rays": rays.detach().cpu()}, path)  # fact: torch.save({'height': height, 'rays': rays.detach().cpu()}, path) => no wait
        torch.save([1, 2.0], path)  # fact: torch.save([1, 2.0], path) => no wait


def cloned(net: nn.Module):  # a copy through a buffer is no checkpoint: it is made of what may be on the host still
    with io.BytesIO() as buffer:
        torch.save(net, buffer)  # fact: torch.save(net, buffer) => no wait
        buffer.seek(0)
        return torch.load(buffer)  # fact: torch.load(buffer) => no wait


def cloned_there(net: nn.Module):
    net = net.cuda()
    buffer = io.BytesIO()
    torch.save(net, buffer)  # fact: torch.save(net, buffer) => wait
    buffer.seek(0)
    return torch.load(buffer)  # fact: torch.load(buffer) => wait


def kept(net: nn.Module, path):
    buffer = io.BytesIO()
    torch.save(net, buffer)  # fact: torch.save(net, buffer) => wait
    torch.save(net, path)  # fact: torch.save(net, path) => wait
    return buffer, torch.load(path)  # fact: torch.load(path) => wait


def lists_as_index(x: torch.Tensor, node, part: slice):
    y = x.cuda()
    a = y[[node]]  # fact: y[[node]] => wait
    rows, *rest = (y > 0).nonzero().chunk(3, dim=1)
    y[[rows, torch.arange(3), *rest]] = 0  # fact: y[[rows, torch.arange(3), *rest]] => wait
    places = [rows, torch.arange(3), *rest]
    y[places] = 0  # fact: y[places] => wait
    y[[rows, torch.arange(3, device="cuda"), *rest]] = 0  # fact: y[[rows, torch.arange(3, device='cuda'), *rest]] => no wait
    return a


def triangle(x: torch.Tensor, below: torch.Tensor):
    y = torch.zeros(3, 3).to(x.device)
    rows, columns = np.tril_indices(3, -1)
    y[rows, columns] = below  # fact: y[rows, columns] => wait
    first, second = np.random.randint(3), np.random.randint(3)
    y[first, second] = below.sum()  # fact: y[first, second] => no wait


def named_data(x: torch.Tensor, many):
    return torch.tensor(data=many, device=x.device)  # fact: torch.tensor(data=many, device=x.device) => wait


class Agent:  # no tensor has a `log_prob`: what a policy gives is a distribution
    def __init__(self, policy: nn.Module, flow: nn.Module):
        self.policy, self.flow = policy, flow

    def act(self, seen: torch.Tensor, actions: torch.Tensor, flow):
        drawn = self.policy(seen.cuda())
        old_dist, other = actions.somewhere
        a = drawn.log_prob(actions)  # fact: drawn.log_prob(actions) => wait
        b = old_dist.log_prob(actions)  # fact: old_dist.log_prob(actions) => wait
        c = self.flow.log_prob(actions)  # fact: self.flow.log_prob(actions) => no wait
        return a, b, c, other.log_prob(actions)  # fact: other.log_prob(actions) => no wait
