import torch
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import fully_shard


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(64, 256)
        self.down = nn.Linear(256, 64)

    def forward(self, x):
        return x + self.down(self.up(x).relu())


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(12))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


# doc: The whole model is one unit
def shard(rank):
    model = Net().to(rank)
    return FSDP(model, device_id=rank)  # expect: TPL808 @ FSDP(model, device_id=rank)


# case: in place
def shard():
    model = Net().cuda()
    fully_shard(model)  # expect: TPL808 @ fully_shard(model)
    return model


# ok: each block is a unit
from torch.distributed.fsdp.wrap import ModuleWrapPolicy


def shard(rank):
    return FSDP(Net().to(rank), auto_wrap_policy=ModuleWrapPolicy({Block}))


# ok: the same, by hand
def shard():
    model = Net().cuda()
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model)
    return model


# ok: nobody knows what was done to it before
def shard(model: nn.Module):
    return FSDP(model)


# ok: nothing to part
class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.only = nn.Linear(64, 64)

    def forward(self, x):
        return self.only(x)


def shard(rank):
    return FSDP(Small().to(rank))


# ok: settings decide
def shard(rank, options):
    return FSDP(Net().to(rank), **options)
