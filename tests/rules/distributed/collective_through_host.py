import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP



# doc: A tensor of the GPU goes over the host
def train(model: nn.Module, optimizer, loader):
    dist.init_process_group("nccl")
    on_host = dist.new_group(backend="gloo")
    for x, y in loader:
        x = x.cuda()
        loss = F.cross_entropy(model(x), y.cuda())
        loss.backward()
        seen = x.amax(0).cpu()
        dist.broadcast(seen, src=0, group=on_host)  # expect: TPL812 @ dist.broadcast(seen, src=0, group=on_host)
        model.seen = seen.cuda()
        optimizer.step()


# ok: it goes from GPU to GPU
def train(model: nn.Module, optimizer, loader):
    dist.init_process_group("nccl")
    for x, y in loader:
        x = x.cuda()
        F.cross_entropy(model(x), y.cuda()).backward()
        seen = x.amax(0)
        dist.broadcast(seen, src=0)
        model.seen = seen
        optimizer.step()


# ok: it is of the host
def train(model: nn.Module, optimizer, loader):
    dist.init_process_group("nccl")
    on_host = dist.new_group(backend="gloo")
    for x, y in loader:
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()
        dist.broadcast(y, src=0, group=on_host)
        optimizer.step()


# ok: there is no NCCL
def train(model: nn.Module, optimizer, loader):
    dist.init_process_group("gloo")
    for x, y in loader:
        x = x.cuda()
        F.cross_entropy(model(x), y.cuda()).backward()
        seen = x.amax(0).cpu()
        dist.broadcast(seen, src=0)
        optimizer.step()


# ok: settings decide which backend it is
def train(model: nn.Module, optimizer, loader, options):
    dist.init_process_group(options.backend)
    for x, y in loader:
        x = x.cuda()
        F.cross_entropy(model(x), y.cuda()).backward()
        seen = x.amax(0).cpu()
        dist.broadcast(seen, src=0)
        optimizer.step()
