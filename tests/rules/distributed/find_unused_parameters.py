import torch
import torch.nn.functional as F
import torchvision
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


# doc: A model that uses all it has
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 64))
        self.head = nn.Linear(64, 10)

    def forward(self, x):
        return self.head(self.features(x))


def wrap(rank):
    model = Net().to(rank)
    return DDP(model, device_ids=[rank], gradient_as_bucket_view=True, find_unused_parameters=True)  # expect: TPL802 @ True


# case: one of torchvision
def wrap(rank):
    model = torchvision.models.resnet50(weights=None)
    model = torch.nn.SyncBatchNorm.convert_sync_batchnorm(model).cuda(rank)
    return DDP(model, device_ids=[rank], broadcast_buffers=False, gradient_as_bucket_view=True, find_unused_parameters=True)  # expect: TPL802 @ True


# ok: it has a branch
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Linear(64, 64)
        self.extra = nn.Linear(64, 64)

    def forward(self, x):
        x = self.features(x)
        if x.shape[0] > 2:
            x = self.extra(x)
        return x


def wrap(rank):
    return DDP(Net().to(rank), device_ids=[rank], gradient_as_bucket_view=True, find_unused_parameters=True)


# ok: a layer is made and not used, and an output may be left alone
class Unused(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Linear(64, 64)
        self.extra = nn.Linear(64, 64)

    def forward(self, x):
        return self.features(x)


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(64, 64)
        self.other = nn.Linear(64, 64)

    def forward(self, x):
        return self.one(x), self.other(x)


def wrap(rank):
    one = DDP(Unused().to(rank), device_ids=[rank], gradient_as_bucket_view=True, find_unused_parameters=True)
    return one, DDP(Two().to(rank), device_ids=[rank], gradient_as_bucket_view=True, find_unused_parameters=True)


# ok: nobody knows the model, or the option
def wrap(model: nn.Module, rank, options):
    one = DDP(model.to(rank), device_ids=[rank], gradient_as_bucket_view=True, find_unused_parameters=True)
    net = torchvision.models.resnet50()
    return one, DDP(net.to(rank), gradient_as_bucket_view=True, find_unused_parameters=options.unused)


# ok: it is asked once
def wrap(rank):
    model = torchvision.models.resnet50(weights=None).to(rank)
    return DDP(model, gradient_as_bucket_view=True, find_unused_parameters=True, static_graph=True)


# ok: an auxiliary head that training may leave out
def wrap(rank):
    model = torchvision.models.inception_v3().to(rank)
    return DDP(model, gradient_as_bucket_view=True, find_unused_parameters=True)


# ok: a part is handed in, and may have branches
class Outer(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.head = nn.Linear(64, 10)

    def forward(self, x):
        return self.head(self.inner(x))


def wrap(rank, inner):
    return DDP(Outer(inner).to(rank), device_ids=[rank], gradient_as_bucket_view=True, find_unused_parameters=True)
