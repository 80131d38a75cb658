import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP



# doc: The losses of all ranks are gathered as objects
def train(model: nn.Module, optimizer, loader, log):
    for x, y in loader:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        shown = loss.detach()
        losses = [None] * dist.get_world_size()
        dist.all_gather_object(losses, shown)  # expect: TPL805 @ dist.all_gather_object(losses, shown)
        log.append(losses)


# case: settings that the ranks could agree on once
def train(model: nn.Module, optimizer, loader, options):
    for x, y in loader:
        kept = [options.rate]
        dist.broadcast_object_list(kept, src=0)  # expect: TPL805 @ dist.broadcast_object_list(kept, src=0)
        (F.cross_entropy(model(x.cuda()), y.cuda()) * kept[0]).backward()
        optimizer.step()


# case: predictions, while it evaluates; their shapes may differ, so no fix
@torch.no_grad()
def evaluate(model: nn.Module, loader, found):
    for x in loader:
        guess = model(x.cuda()).argmax(-1)
        parts = [None for _ in range(dist.get_world_size())]
        dist.all_gather_object(parts, guess)  # expect: TPL805 @ dist.all_gather_object(parts, guess)
        found.extend(parts)


# ok: behind the loop
@torch.no_grad()
def evaluate(model: nn.Module, loader):
    names = []
    for x, name in loader:
        model(x.cuda())
        names.append(name)
    parts = [None] * dist.get_world_size()
    dist.all_gather_object(parts, names)
    return parts


# ok: words, while it evaluates
@torch.no_grad()
def evaluate(model: nn.Module, loader, found):
    for x, names in loader:
        model(x.cuda())
        parts = [None] * dist.get_world_size()
        dist.all_gather_object(parts, list(names))
        found.extend(parts)


# ok: now and then
def train(model: nn.Module, optimizer, loader, log):
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            losses = [None] * dist.get_world_size()
            dist.all_gather_object(losses, loss.detach())
            log.append(losses)


# ok: over a group of the host
def train(model: nn.Module, optimizer, loader, options):
    group = dist.new_group(backend="gloo")
    for x, y in loader:
        kept = [options.rate]
        dist.broadcast_object_list(kept, src=0, group=group)
        (F.cross_entropy(model(x.cuda()), y.cuda()) * kept[0]).backward()
        optimizer.step()
