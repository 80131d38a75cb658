import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


# doc: cuDNN searches kernels for each shape
def main(model: nn.Module, data: Dataset):
    torch.backends.cudnn.benchmark = True
    loader = DataLoader(data, batch_size=64, shuffle=True, num_workers=4, pin_memory=True)  # expect: TPL212 @ DataLoader
    for x in loader:
        model(x.cuda()).sum().backward()


# case: a graph for each shape
def compiled(model: nn.Module, data: Dataset, batch: int):
    step = torch.compile(model.cuda(), mode="reduce-overhead")
    for x in DataLoader(data, batch, shuffle=True, num_workers=4, pin_memory=True):  # expect: TPL212 @ DataLoader
        step(x.cuda()).sum().backward()


# case: a graph by hand
def recorded(model: nn.Module, data: Dataset, sample: torch.Tensor):
    step = torch.cuda.make_graphed_callables(model, (sample.cuda(),))
    for x in DataLoader(data, 64, shuffle=True, num_workers=4, pin_memory=True):  # expect: TPL212 @ DataLoader
        step(x.cuda()).sum().backward()


# ok: the rest is left out
def dropped(model: nn.Module, data: Dataset):
    torch.backends.cudnn.benchmark = True
    for x in DataLoader(data, 64, shuffle=True, drop_last=True, num_workers=4, pin_memory=True):
        model(x.cuda()).sum().backward()


# ok: an evaluation gives every item
def evaluate(model: nn.Module, data: Dataset):
    torch.backends.cudnn.benchmark = True
    with torch.no_grad():
        for x in DataLoader(data, 64, num_workers=4, pin_memory=True):
            model(x.cuda())


# ok: nothing is done once for each shape
def eager(model: nn.Module, data: Dataset):
    step = torch.compile(model.cuda())
    for x in DataLoader(data, 64, shuffle=True, num_workers=4, pin_memory=True):
        step(x.cuda()).sum().backward()


# ok: one item a batch
def single(model: nn.Module, data: Dataset):
    torch.backends.cudnn.benchmark = True
    for x in DataLoader(data, batch_size=1, shuffle=True, num_workers=4, pin_memory=True):
        model(x.cuda()).sum().backward()
