"""State that one method moves and another reads, and what others do with what they are handed."""

import torch
from torch.distributions import Normal
from torch.utils.data.sampler import BatchSampler, SubsetRandomSampler
from torch.utils.tensorboard import SummaryWriter


class Storage:
    def __init__(self, n: int):
        self.seen = torch.zeros(n, 1)
        self.kept = torch.zeros(n, 1)
        self.places = torch.zeros(n)

    def to(self, device):
        self.seen = self.seen.to(device)  # fact: self.seen.to(device) => wait
        self.places = torch.arange(3)

    def back(self):
        self.kept = self.kept.cpu()

    def insert(self, x: torch.Tensor):
        self.seen[0].copy_(torch.zeros(1))  # fact: self.seen[0].copy_(torch.zeros(1)) => wait && self.seen => tensor, maybe, likely
        self.kept[0].copy_(torch.zeros(1))  # fact: self.kept[0].copy_(torch.zeros(1)) => no wait && self.kept => tensor, cpu
        self.places[0].copy_(torch.zeros(1))  # fact: self.places[0].copy_(torch.zeros(1)) => no wait

    def batches(self, n: int):
        for rows in BatchSampler(SubsetRandomSampler(range(n)), 8, drop_last=True):
            part = self.seen[rows]  # fact: rows => list && self.seen[rows] => wait
            yield part
        for row in SubsetRandomSampler(range(n)):
            yield self.seen[row]  # fact: row => number && self.seen[row] => no wait


class Fixed(Normal):
    def log_probs(self, actions):
        return super().log_prob(actions).sum(-1)  # fact: super().log_prob(actions) => wait


class Other:
    def log_probs(self, actions):
        return super().log_prob(actions)  # fact: super().log_prob(actions) => no wait


def drawn(x: torch.Tensor, host):
    there = x.cuda()
    a = Normal(there, there.exp()).sample()  # fact: Normal(there, there.exp()).sample() => wait
    b = Normal(there, there.exp()).rsample()  # fact: Normal(there, there.exp()).rsample() => no wait
    c = Normal(torch.zeros(3), torch.ones(3)).sample()  # fact: Normal(torch.zeros(3), torch.ones(3)).sample() => no wait
    d = Fixed(there, 1.0).log_probs(a)
    return a, b, c, d, host


class Own:
    def add_scalar(self, tag, value, step):
        self.last = value


def written(writer: SummaryWriter, own: Own, step: int):
    x = torch.ones(3, device="cuda")
    writer.add_scalar("a", x.sum(), step)  # fact: writer.add_scalar("a", x.sum(), step) => wait
    writer.add_scalar("b", scalar_value=x.sum())  # fact: writer.add_scalar("b", scalar_value=x.sum()) => wait
    writer.add_scalars("c", {"d": x.sum()})  # fact: writer.add_scalars("c", {"d": x.sum()}) => wait
    writer.add_scalar("e", x.sum().item(), step)  # fact: writer.add_scalar("e", x.sum().item(), step) => no wait
    writer.add_scalar("f", torch.ones(3).sum(), step)  # fact: writer.add_scalar("f", torch.ones(3).sum(), step) => no wait
    writer.add_image("h", x, step)  # fact: writer.add_image("h", x, step) => wait
    writer.add_image("i", torch.ones(3, 4, 4), step)  # fact: writer.add_image("i", torch.ones(3, 4, 4), step) => no wait
    own = Own()
    own.add_scalar("g", x.sum(), step)  # fact: own.add_scalar("g", x.sum(), step) => no wait


def compared(flow, target, mask):
    off = torch.sum((flow.cpu() - target) ** 2, dim=0)  # fact: off => tensor, cpu
    return off[mask].mean().item()  # fact: off[mask].mean().item() => no wait


def both(valid, size: torch.Tensor, flags):
    near = (valid >= 0.5) & (size < 3)  # fact: near => tensor, bool
    some = flags & (size < 3)  # fact: some => no dtype
    return size[near], size[some]  # fact: size[near] => wait


def shown(writer: SummaryWriter, demo: torch.Tensor, value):
    writer.add_images("a", demo)  # fact: writer.add_images("a", demo) => no wait
    writer.add_scalar("b", demo.mean())  # fact: writer.add_scalar("b", demo.mean()) => wait
    if type(value) == torch.Tensor:
        writer.add_scalar("c", value.item())  # fact: value => tensor && value.item() => wait
    elif type(value) is float:
        value.hex()  # fact: value => number
    else:
        value.item()  # fact: value => unknown && value.item() => no wait


def penalized(model, embedding, weight: float, target, norm, table):
    penalty = weight * (embedding.norm(p=3) ** 3 + 1)
    scaled = norm(table.norm(target))  # fact: table.norm(target) => unknown
    positive = target.eq(1).float().sum()  # fact: positive => tensor, likely
    frame = table.eq(1).sum()  # fact: frame => unknown
    return penalty.item(), positive, scaled, frame  # fact: penalty => tensor, likely && penalty.item() => wait
