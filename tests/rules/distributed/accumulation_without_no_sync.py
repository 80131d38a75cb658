import contextlib

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel as DDP


# doc: The optimizer steps at each fourth batch, the gradients are averaged at each
def train(net: nn.Module, loader, rank):
    model = DDP(net.to(rank), device_ids=[rank], gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x.to(rank)), y.to(rank)) / 4
        loss.backward()  # expect: TPL803 @ loss.backward()
        if (i + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()


# case: wrapped in the constructor, and with a scaler and a last step that is not full
class Trainer:
    def __init__(self, net: nn.Module, rank):
        self.model = DDP(net.cuda(rank), device_ids=[rank], gradient_as_bucket_view=True)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), fused=True)
        self.scaler = torch.amp.GradScaler()

    def train(self, loader, every):
        for i, (x, y) in enumerate(loader):
            with torch.autocast("cuda"):
                loss = F.cross_entropy(self.model(x.cuda()), y.cuda()) / every
            self.scaler.scale(loss).backward()  # expect: TPL803 @ self.scaler.scale(loss).backward()
            if (i + 1) % every == 0 or i + 1 == len(loader):
                self.scaler.unscale_(self.optimizer)
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.optimizer.zero_grad()


# case: wrapped where it is called, only with several GPUs; the count goes on behind the backward pass, so no fix
def run(net: nn.Module, loader, options):
    model = net.cuda()
    if options.distributed:
        model = DDP(model, device_ids=[options.gpu], gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    epoch(model, loader, optimizer)


def epoch(model, loader, optimizer):
    step = 0
    for x, y in loader:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()  # expect: TPL803 @ loss.backward()
        step += 1
        if step % 8 == 0:
            optimizer.step()
            optimizer.zero_grad()


# case: somebody looks at the gradients between, so no fix
def train(net: nn.Module, loader, rank):
    model = DDP(net.to(rank), device_ids=[rank], gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x.to(rank)), y.to(rank)) / 4
        loss.backward()  # expect: TPL803 @ loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if (i + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()


# case: sharded, in place
def train(net: nn.Module, loader, rank):
    for block in net.blocks:
        fully_shard(block)
    fully_shard(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(net(x.cuda()), y.cuda()) / 4
        loss.backward()  # expect: TPL803 @ loss.backward()
        if not (i + 1) % 4:
            optimizer.step()
            optimizer.zero_grad()


# case: sharded by a wrapper, whose only switch is a context
def train(net: nn.Module, loader, policy):
    model = FSDP(net.cuda(), auto_wrap_policy=policy)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x.cuda()), y.cuda()) / 4
        loss.backward()  # expect: TPL803 @ loss.backward()
        if (i + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()


# case: with timm's scaler, which is told when to step
def run(net: nn.Module, loader, options, loss_scaler):
    model = DDP(net.cuda(), device_ids=[options.gpu], gradient_as_bucket_view=True)
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    epoch(model, loader, optimizer, loss_scaler, options.every)


def epoch(model, loader, optimizer, loss_scaler, every):
    for step, (x, y) in enumerate(loader):
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(x.cuda()), y.cuda())
        loss /= every
        loss_scaler(loss, optimizer, parameters=model.parameters(), update_grad=(step + 1) % every == 0)  # expect: TPL803 @ loss_scaler(loss, optimizer, parameters=model.parameters(), update_grad=(step + 1) % every == 0)
        if (step + 1) % every == 0:
            optimizer.zero_grad()


# case: in one of two branches
def train(net: nn.Module, loader, rank, options):
    model = DDP(net.to(rank), device_ids=[rank], gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x.to(rank)), y.to(rank)) / 4
        if options.clip:
            clipped(loss, optimizer)
        else:
            loss.backward()  # expect: TPL803 @ loss.backward()
            if (i + 1) % 4 == 0:
                optimizer.step()
                optimizer.zero_grad()


# ok: another step stands in the loop
def train(net: nn.Module, loader, rank):
    model = DDP(net.to(rank), device_ids=[rank], gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        optimizer.step()
        F.cross_entropy(model(x.to(rank)), y.to(rank)).backward()
        if (i + 1) % 4 == 0:
            optimizer.step()


# ok: they are held back
def train(net: nn.Module, loader, rank):
    model = DDP(net.to(rank), device_ids=[rank], gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        with contextlib.nullcontext() if (i + 1) % 4 == 0 else model.no_sync():
            loss = F.cross_entropy(model(x.to(rank)), y.to(rank)) / 4
            loss.backward()
        if (i + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()


# ok: each batch is a step, and something else is done now and then
def train(net: nn.Module, loader, rank, scheduler):
    model = DDP(net.to(rank), device_ids=[rank], gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x.to(rank)), y.to(rank)) / 4
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if (i + 1) % 4 == 0:
            scheduler.step()


# ok: one process
def train(model: nn.Module, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x.cuda()), y.cuda()) / 4
        loss.backward()
        if (i + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()


# ok: what the loop trains is not what is wrapped
def train(net: nn.Module, head: nn.Module, loader, rank):
    model = DDP(net.to(rank), device_ids=[rank], gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(head(x.cuda()), y.cuda()) / 4
        loss.backward()
        if (i + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
    return model


# ok: the condition says whether there is anything to step, not at which turn
def train(net: nn.Module, loader, rank):
    model = DDP(net.to(rank), device_ids=[rank], gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        loss = F.cross_entropy(model(x.to(rank)), y.to(rank))
        loss.backward()
        if optimizer.param_groups:
            optimizer.step()
            optimizer.zero_grad()


# ok: accelerate has a switch of its own
from accelerate import Accelerator


def train(net: nn.Module, loader, rank):
    model = DDP(net.to(rank), device_ids=[rank], gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x.to(rank)), y.to(rank)) / 4
        loss.backward()
        if (i + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()


# case: accelerate reduces gradients at each turn
class Trainer:
    def __init__(self, accelerator, net, optimizer, turns: int):
        self.accelerator, self.turns = accelerator, turns
        self.net, self.optimizer = accelerator.prepare(net, optimizer)

    def train_step(self, batches):
        for _ in range(self.turns):
            loss = self.net(next(batches))
            self.accelerator.backward(loss / self.turns)  # expect: TPL803 @ self.accelerator.backward(loss / self.turns)
        self.optimizer.step()
        for _ in range(self.turns):
            loss = self.net(next(batches)) / self.turns
            self.accelerator.backward(loss)  # expect: TPL803 @ self.accelerator.backward(loss)
        self.optimizer.step()
        for _ in range(self.turns):
            loss = self.net(next(batches))
            self.accelerator.backward(loss)
            self.optimizer.step()


# ok: somebody has thought of it
class Accumulating:
    def __init__(self, accelerator, turns: int):
        self.accelerator, self.turns = accelerator, turns

    def train_step(self, net, batches, optimizer):
        for _ in range(self.turns):
            with self.accelerator.accumulate(net):
                self.accelerator.backward(net(next(batches)) / self.turns)
        optimizer.step()
