import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP



# doc: The gradients are copied into buckets
def train(net: nn.Module, loader, rank):
    model = DDP(net.to(rank), device_ids=[rank])  # expect: TPL807 @ DDP
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x.to(rank)), y.to(rank)).backward()
        optimizer.step()


# case: with other arguments
def wrap(model: nn.Module, rank):
    model = torch.nn.parallel.DistributedDataParallel(  # expect: TPL807 @ torch.nn.parallel.DistributedDataParallel
        model.cuda(rank),
        device_ids=[rank],
        broadcast_buffers=False,
    )
    return model, torch.optim.SGD(model.parameters(), lr=0.1)


# case: gradients are let go by hand
def train(net: nn.Module, loader, rank):
    model = DDP(net.to(rank), device_ids=[rank])  # expect: TPL807 @ DDP
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        for p in model.parameters():
            p.grad = None
        F.cross_entropy(model(x.to(rank)), y.to(rank)).backward()
        optimizer.step()


# ok: they are views
def wrap(model: nn.Module, rank):
    return DDP(model.to(rank), device_ids=[rank], gradient_as_bucket_view=True)


# ok: settings decide
def wrap(model: nn.Module, rank, options):
    one = DDP(model.to(rank), **options)
    two = DDP(one, device_ids=[rank], gradient_as_bucket_view=options.view)
    return two, torch.optim.SGD(model.parameters(), lr=0.1)


# ok: gradients are replaced
def wrap(model: nn.Module, rank):
    model = DDP(model.to(rank), device_ids=[rank])
    for p in model.parameters():
        p.grad = torch.zeros_like(p)
    return model, torch.optim.SGD(model.parameters(), lr=0.1)


# ok: gradients are detached in place
def wrap(model: nn.Module, rank):
    model = DDP(model.to(rank), device_ids=[rank])
    for p in model.parameters():
        p.grad.detach_()
    return model, torch.optim.SGD(model.parameters(), lr=0.1)


# ok: all on the CPU
def wrap(model: nn.Module):
    dist.init_process_group("gloo")
    model = DDP(model)
    return model, torch.optim.SGD(model.parameters(), lr=0.1)


# ok: it runs what was trained elsewhere
def wrap(model: nn.Module, rank):
    return DDP(model.to(rank), device_ids=[rank])


# ok: the gradients are in a context of their own
import torch.distributed.autograd as dist_autograd


def step(net: nn.Module, x, rank):
    model = DDP(net.to(rank), device_ids=[rank])
    with dist_autograd.context() as context:
        dist_autograd.backward(context, [model(x.to(rank)).sum()])


# ok: a class of the project has copies of the gradients, and detaches them
def train(net: nn.Module, loader, mixed, rank):
    model = DDP(net.to(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(mixed.master_params, lr=0.1)
    for x, y in loader:
        mixed.zero_grad()
        mixed.backward(F.cross_entropy(model(x.to(rank)), y.to(rank)))
        mixed.optimize(optimizer)


# ok: amp of apex lays the gradients of an accumulation aside for each backward pass: a view would be written over
from apex import amp


def train_mixed(net: nn.Module, optimizer, loader, rank):
    net, optimizer = amp.initialize(net.to(rank), optimizer, opt_level="O1")
    model = DDP(net, device_ids=[rank])
    for step, (x, y) in enumerate(loader):
        with amp.scale_loss(F.cross_entropy(model(x.to(rank)), y.to(rank)), optimizer) as scaled:
            scaled.backward()
        if step % 8 == 0:
            optimizer.step()
            optimizer.zero_grad()


# ok: an older torch has no such argument
# set: target-torch = "1.4"
def wrap_old(model: nn.Module, rank):
    return DDP(model.to(rank), device_ids=[rank])
