import torch
import torchvision
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


# doc: Synchronised statistics are sent once more
def wrap(rank):
    model = torchvision.models.resnet50()
    model = nn.SyncBatchNorm.convert_sync_batchnorm(model).to(rank)
    return DDP(model, device_ids=[rank], gradient_as_bucket_view=True)  # expect: TPL811 @ DDP


# case: a model of the file
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(8, 8, 3)
        self.norm = nn.BatchNorm2d(8)

    def forward(self, x):
        return self.norm(self.conv(x))


def wrap(rank):
    model = torch.nn.SyncBatchNorm.convert_sync_batchnorm(Net().cuda(rank))
    return DDP(model, device_ids=[rank], gradient_as_bucket_view=True)  # expect: TPL811 @ DDP


# ok: they are not sent
def wrap(rank):
    model = nn.SyncBatchNorm.convert_sync_batchnorm(torchvision.models.resnet50()).to(rank)
    return DDP(model, device_ids=[rank], gradient_as_bucket_view=True, broadcast_buffers=False)


# ok: plain batch norms
def wrap(rank):
    return DDP(torchvision.models.resnet50().to(rank), device_ids=[rank], gradient_as_bucket_view=True)


# ok: converted if somebody asks for it
def wrap(rank, options):
    model = torchvision.models.resnet50().to(rank)
    if options.sync:
        model = nn.SyncBatchNorm.convert_sync_batchnorm(model)
    return DDP(model, device_ids=[rank], gradient_as_bucket_view=True)


# ok: nobody knows which buffers it has
def wrap(model: nn.Module, rank):
    model = nn.SyncBatchNorm.convert_sync_batchnorm(model).to(rank)
    return DDP(model, device_ids=[rank], gradient_as_bucket_view=True)


# ok: it has buffers of its own
class Queue(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm2d(8)
        self.register_buffer("queue", torch.zeros(8))

    def forward(self, x):
        return self.norm(x) + self.queue


def wrap(rank):
    model = nn.SyncBatchNorm.convert_sync_batchnorm(Queue().cuda(rank))
    return DDP(model, device_ids=[rank], gradient_as_bucket_view=True)


# ok: a head that has batch norms where somebody asks for them
class Head(nn.Module):
    def __init__(self, use_norm: bool = False):
        super().__init__()
        self.linear = nn.Linear(8, 8)
        if use_norm:
            self.norm = nn.BatchNorm1d(8)


def wrap_head(rank, use_norm):
    model = nn.SyncBatchNorm.convert_sync_batchnorm(Head(use_norm).cuda(rank))
    return DDP(model, device_ids=[rank], gradient_as_bucket_view=True)
