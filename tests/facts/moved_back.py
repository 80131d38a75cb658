"""What is on the host again: moved back behind the condition that moved it, or where a group of processes has it."""

import torch
import torch.distributed as dist


def moved_back(cfg, x: torch.Tensor, labels: torch.Tensor, model, save):
    if cfg.NUM_GPUS:
        x = x.cuda()
        labels = labels.cuda()
    kept = labels + 1
    y = model(x)
    if cfg.NUM_GPUS:
        labels = labels.cpu()
    a = labels.sum()  # fact: labels => tensor, host or unknown
    if save:
        kept = kept.cpu()
    b = kept.sum()  # fact: kept => tensor, maybe
    if cfg.NUM_GPUS:
        x = x.cpu()
    else:
        x = y
    return a, b, x


def where_there_is_one(x: torch.Tensor, is_kept: bool):
    x = x.cuda()
    if torch.cuda.is_available():
        x = x.cpu()
    a = x.sum()  # fact: x => tensor, host or unknown
    return a


def packed(data: bytes, group):
    backend = dist.get_backend(group)
    device = torch.device("cpu" if backend == "gloo" else "cuda")
    sizes = torch.zeros(3, device=device)  # fact: sizes => tensor, host or unknown
    own = torch.zeros(3, device="cuda" if dist.get_backend() == "nccl" else "cpu")  # fact: own => tensor, maybe
    return sizes, own


def shaped_like(x: torch.Tensor, y: torch.Tensor):
    x, y = x.cuda(), y.cpu()
    a = y.view_as(x)  # fact: a => tensor, cpu
    b = y.expand_as(x).sum()  # fact: b => tensor, cpu
    c = y.type_as(x)  # fact: c => tensor, cuda
    return a, b, c


def counted(x: torch.Tensor, y: torch.Tensor, predict):
    guess = predict(x.cuda())
    right = guess.eq(y.cpu()).sum()  # fact: right => tensor, host or unknown
    off = guess.eq(y).sum()  # fact: off => tensor, cuda
    return right.item(), off.item()  # fact: right.item() => no wait
