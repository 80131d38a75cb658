import argparse

import torch
from torch import nn


# doc: A training that repeats bit by bit
def main(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    torch.use_deterministic_algorithms(True)  # expect: TPL505 @ torch.use_deterministic_algorithms(True)
    for x in loader:
        model(x.cuda()).sum().backward()
        optimizer.step()


# case: by name
def by_name(model: nn.Module):
    torch.use_deterministic_algorithms(mode=True)  # expect: TPL505 @ torch.use_deterministic_algorithms(mode=True)
    return model.cuda()


# ok: the user decides
def chosen(model: nn.Module, args: argparse.Namespace):
    torch.use_deterministic_algorithms(args.deterministic)
    if args.seed is not None:
        torch.use_deterministic_algorithms(True)
    return model.cuda()


# ok: it is switched off, or only warns
def off(model: nn.Module):
    torch.use_deterministic_algorithms(False)
    torch.use_deterministic_algorithms(True, warn_only=True)
    return model.cuda()


# ok: a method of somebody else
def other(model: nn.Module, settings):
    settings.use_deterministic_algorithms(True)
    return model.cuda()


# ok: cuDNN alone costs next to nothing
def cudnn(model: nn.Module):
    torch.backends.cudnn.deterministic = True
    return model.cuda()
