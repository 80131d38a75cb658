import torch
from torch import nn
from torch.utils import checkpoint as ckpt
from torch.utils.checkpoint import checkpoint, checkpoint_sequential


# doc: A model that recomputes its blocks
class Net(nn.Module):
    def __init__(self, blocks: nn.ModuleList):
        super().__init__()
        self.blocks = blocks

    def forward(self, x: torch.Tensor):
        for block in self.blocks:
            x = checkpoint(block, x)  # expect: TPL406 @ checkpoint(block, x)
        return x


# case: other names
def run(blocks: nn.Sequential, x: torch.Tensor, y: torch.Tensor):
    x = ckpt.checkpoint(blocks, x, y)  # expect: TPL406 @ ckpt.checkpoint(blocks, x, y)
    return checkpoint_sequential(blocks, 4, x)  # expect: TPL406 @ checkpoint_sequential(blocks, 4, x)


# ok: it is said
def said(blocks: nn.Sequential, x: torch.Tensor, old: bool):
    x = checkpoint(blocks, x, use_reentrant=False)
    x = checkpoint(blocks, x, use_reentrant=old)
    return checkpoint_sequential(blocks, 4, x, use_reentrant=True)


# ok: it may be said
def hidden(blocks: nn.Sequential, x: torch.Tensor, settings: dict):
    return checkpoint(blocks, x, **settings)


# ok: another function of that name
def other(self, x: torch.Tensor):
    return self.checkpoint(x), checkpoint


def saver(model: nn.Module, manager):
    manager.checkpoint(model)


# ok: torch may be too old for the argument
# set: target-torch = "1.8"
def old(blocks: nn.Sequential, x: torch.Tensor):
    return checkpoint(blocks, x)


# ok: the one function had it before the other
# set: target-torch = "1.13"
def older(blocks: nn.Sequential, x: torch.Tensor):
    return checkpoint_sequential(blocks, 4, x)
