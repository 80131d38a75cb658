import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP



# doc: The loss is averaged over the ranks at every step, to be printed
def train(model: nn.Module, optimizer, loader, log):
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        shown = loss.detach().clone()
        dist.all_reduce(shown)  # expect: TPL804 @ dist.all_reduce(shown)
        shown /= dist.get_world_size()
        if step % 50 == 0:
            log.info(f"{step}: {shown.item()}")


# case: a barrier
def train(model: nn.Module, optimizer, loader):
    for x, y in loader:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch.distributed.barrier()  # expect: TPL804 @ torch.distributed.barrier()


# case: through a function, whose result is logged
def mean_over_ranks(value):
    value = value.clone()
    dist.all_reduce(value)  # expect: TPL804 @ dist.all_reduce(value)
    value /= dist.get_world_size()
    return value


def train(model: nn.Module, optimizer, loader, writer):
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
        shown = mean_over_ranks(loss.detach())
        writer.add_scalar("loss", shown, step)


# ok: only where it is logged
def train(model: nn.Module, optimizer, loader, log):
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            shown = loss.detach().clone()
            dist.all_reduce(shown)
            log.info(f"{step}: {shown.item()}")


# ok: the ranks act on it
def train(model: nn.Module, optimizer, loader, log):
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        wrong = torch.isnan(loss.detach()).float()
        dist.all_reduce(wrong)
        if wrong > 0:
            continue
        loss.backward()
        optimizer.step()
        log.info(f"{wrong}")


# ok: it is part of the training
def train(model: nn.Module, optimizer, loader, log):
    for step, (x, y) in enumerate(loader):
        count = (y >= 0).sum().cuda()
        dist.all_reduce(count)
        loss = F.cross_entropy(model(x.cuda()), y.cuda(), reduction="sum") / count
        loss.backward()
        optimizer.step()
        print(count)


# ok: gradients
def train(model: nn.Module, optimizer, loader):
    for x, y in loader:
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()
        flat = torch.cat([p.grad.flatten() for p in model.parameters()])
        dist.all_reduce(flat)
        put_back(model, flat)
        optimizer.step()


# ok: once an epoch
def train(model: nn.Module, optimizer, loader, epochs):
    for epoch in range(epochs):
        total = torch.zeros((), device="cuda")
        for x, y in loader:
            loss = F.cross_entropy(model(x.cuda()), y.cuda())
            loss.backward()
            optimizer.step()
            total += loss.detach()
        dist.all_reduce(total)
        dist.barrier()
        print(epoch, total.item())


# ok: it is measured
import time


def measure(model: nn.Module, optimizer, loader, times):
    for x, y in loader:
        dist.barrier()
        start = time.perf_counter()
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()
        optimizer.step()
        times.append(time.perf_counter() - start)


# ok: one rank writes, the others wait
def train(model: nn.Module, optimizer, loader):
    for step, (x, y) in enumerate(loader):
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()
        optimizer.step()
        if step % 1000 == 0:
            if dist.get_rank() == 0:
                torch.save(model.state_dict(), "model.pt")
            dist.barrier()


# ok: a group of the host
def train(model: nn.Module, optimizer, loader, log):
    group = dist.new_group(backend="gloo")
    for step, (x, y) in enumerate(loader):
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()
        optimizer.step()
        dist.barrier(group=group)


# ok: another function of that name
def train(model: nn.Module, optimizer, loader, pool):
    for x, y in loader:
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()
        optimizer.step()
        pool.barrier()


# ok: a logarithm
class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, picked, group):
        total = logits.exp().sum(-1)
        dist.all_reduce(total, group=group)
        loss = torch.log(total) - picked
        ctx.save_for_backward(logits)
        return loss


# ok: an evaluation
def accuracy(model: nn.Module, loaders):
    for name, loader in loaders:
        found = count(model, loader)
        total = torch.tensor(found, device="cuda")
        dist.all_reduce(total)
        print(name, total.item())


def count(model, loader):
    model.eval()
    right = 0
    for x, y in loader:
        right += (model(x.cuda()).argmax(-1) == y.cuda()).sum()
    return right


# ok: each turn rolls out and takes many steps
def reinforce(model: nn.Module, optimizer, prompts, count, print0):
    for step in range(count):
        rewards = []
        for x, y in prompts:
            loss = F.cross_entropy(model(x.cuda()), y.cuda())
            loss.backward()
            rewards.append(y)
        optimizer.step()
        reward = torch.tensor(len(rewards), device="cuda")
        dist.all_reduce(reward)
        print0(f"{step}: {reward.item()}")
        print(reward.item())
