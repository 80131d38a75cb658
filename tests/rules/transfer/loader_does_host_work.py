import numpy as np
import torch
from torch import nn
from torch.utils.data import BatchSampler, DataLoader, Dataset, RandomSampler, TensorDataset


# doc: A table in memory, trained on in large batches
def train(model: nn.Module, x: torch.Tensor, y: torch.Tensor, optimizer):
    loader = DataLoader(TensorDataset(x, y), batch_size=512, shuffle=True)  # expect: TPL213 @ DataLoader
    for rows, wanted in loader:
        nn.functional.cross_entropy(model(rows.cuda()), wanted.cuda()).backward()
        optimizer.step()
        optimizer.zero_grad()


# case: a dataset of the program that only picks, also as tensors
class Series(Dataset):
    def __init__(self, path: str, labels: torch.Tensor):
        """Read all of it."""
        self.values = np.load(path)
        self.labels = labels

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index: int):
        """One row."""
        return torch.tensor(self.values[index], dtype=torch.float32), self.labels[index].long()


class Named(Dataset):
    def __init__(self, x: torch.Tensor):
        self.x = x

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return {"x": self.x[index]}


def loaders(path: str, labels: torch.Tensor, size: int):
    few = DataLoader(Series(path, labels), batch_size=64)  # expect: TPL213 @ DataLoader
    some = DataLoader(Named(labels), size, True)  # expect: TPL213 @ DataLoader
    return few, some, DataLoader(Series(path, labels), batch_size=1024, num_workers=0)  # expect: TPL213 @ DataLoader


# ok: whole batches are asked for, others make them, or there are few rows
def otherwise(x: torch.Tensor, sampler, joined):
    rows = TensorDataset(x, x)
    whole = DataLoader(rows, sampler=BatchSampler(RandomSampler(rows), 512, False), batch_size=None)
    other = DataLoader(rows, batch_size=512, collate_fn=joined)
    shared = DataLoader(rows, batch_size=512, sampler=sampler)
    return whole, other, shared, DataLoader(rows), DataLoader(rows, batch_size=32), DataLoader(rows, 64, num_workers=4)


# ok: it gives batches itself
class Bulk(Dataset):
    def __init__(self, x: torch.Tensor):
        self.x = x

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[index]

    def __getitems__(self, indices):
        return self.x[indices]


def in_bulk(x: torch.Tensor):
    return DataLoader(Bulk(x), batch_size=512)


# ok: it does more than to pick, or picks from a list, or of what nobody knows
class Crops(Dataset):
    def __init__(self, x: torch.Tensor, names: list[str], table):
        self.x, self.names, self.table = x, names, table

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        start = int(torch.randint(0, 8, ()))
        return self.x[index][start : start + 8]


class Listed(Crops):
    def __getitem__(self, index):
        return self.x[index], self.names[index]


class Unknown(Crops):
    def __getitem__(self, index):
        return self.table[index]


class Shifted(Crops):
    def __getitem__(self, index):
        return self.x[index + 1], self.x[index]


def others(x: torch.Tensor, names: list[str], table):
    first = DataLoader(Crops(x, names, table), batch_size=512)
    second = DataLoader(Listed(x, names, table), batch_size=512)
    third = DataLoader(Unknown(x, names, table), batch_size=512)
    return first, second, third, DataLoader(Shifted(x, names, table), batch_size=512)
