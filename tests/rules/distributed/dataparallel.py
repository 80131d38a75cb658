import torch
import torch.nn.functional as F
from torch import nn


# doc: One process for all GPUs
def train(model: nn.Module, loader):
    model = nn.DataParallel(model).cuda()  # expect: TPL801 @ nn.DataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# case: where there is more than one
def train(model: nn.Module, loader):
    if torch.cuda.device_count() > 1:
        model = torch.nn.parallel.DataParallel(model, device_ids=[0, 1])  # expect: TPL801 @ torch.nn.parallel.DataParallel(model, device_ids=[0, 1])
    model = model.cuda()
    for x, y in loader:
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()


# ok: one GPU
def train(model: nn.Module, loader):
    model = nn.DataParallel(model, device_ids=[0]).cuda()
    for x, y in loader:
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()


# ok: one GPU by default
def train_on(model: nn.Module, loader, gpus=[0]):
    model = nn.DataParallel(model, device_ids=gpus).cuda()
    for x, y in loader:
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()


# ok: whoever starts the program chooses
def train(model: nn.Module, loader, options):
    if options.distributed:
        model = nn.parallel.DistributedDataParallel(model.cuda(), gradient_as_bucket_view=True)
    else:
        model = nn.DataParallel(model).cuda()
    for x, y in loader:
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()


# ok: it does not train
def names(model: nn.Module, loader):
    model = nn.DataParallel(model).cuda()
    with torch.no_grad():
        return [model(x.cuda()) for x in loader]


# ok: another class of that name
from apex.parallel import DataParallel


def train(model: nn.Module, loader):
    model = DataParallel(model).cuda()
    for x, y in loader:
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()
