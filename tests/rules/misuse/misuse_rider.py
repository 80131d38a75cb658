import torch
from torch import nn
from torch.cuda import reset_max_memory_allocated
from torch.utils.data import DataLoader


# doc: The loader instead of the batch, and a device that is none
def train(model: nn.Module, data, optimizer):
    loader = DataLoader(data, batch_size=64)
    model.to("gpu")  # expect: TPL901 @ "gpu"
    for batch, labels in loader:
        loss = nn.functional.cross_entropy(model(loader), labels)  # expect: TPL901 @ loader
        loss.backward()
        optimizer.step()


# case: with a count, other devices, an old name
def evaluate(model: nn.Module, data, x: torch.Tensor):
    loader = DataLoader(data)
    device = torch.device("gpu:0")  # expect: TPL901 @ "gpu:0"
    for step, batch in enumerate(loader):
        model(loader)  # expect: TPL901 @ loader
    x = x.to("gpu", non_blocking=True)  # expect: TPL901 @ "gpu"
    torch.cuda.reset_max_memory_allocated()  # expect: TPL901 @ torch.cuda.reset_max_memory_allocated()
    reset_max_memory_allocated()  # expect: TPL901 @ reset_max_memory_allocated()
    return x, device


# ok: the batch is given, or a function that goes through the loader
def right(model: nn.Module, data, count):
    loader = DataLoader(data)
    for batch in loader:
        model(batch)
        count(loader)
        print(len(loader))
    model(loader)


# ok: another loader, or a list of tensors that the model takes whole
def others(model: nn.Module, first, second, x: torch.Tensor):
    for batch in DataLoader(first):
        model(second)
    parts = [x, x]
    for part in parts:
        model(parts)


# ok: other words for devices, of other libraries
def elsewhere(model: nn.Module, x: torch.Tensor, array, name: str):
    array.to("gpu")
    array.device("gpu")
    return x.to("cuda"), model.to(name), torch.cuda.reset_peak_memory_stats()
