import json

import numpy as np
import torch
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, Dataset, IterableDataset, Subset, TensorDataset
from torchvision import datasets, transforms


# doc: Images are decoded between the steps
class Photos(Dataset):
    def __init__(self, paths: list[str], transform):
        self.paths, self.transform = paths, transform

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index: int):
        return self.transform(Image.open(self.paths[index]).convert("RGB"))


def train(model: nn.Module, paths: list[str], transform, optimizer):
    loader = DataLoader(Photos(paths, transform), batch_size=64, shuffle=True)  # expect: TPL209 @ DataLoader
    for x in loader:
        model(x.cuda()).sum().backward()
        optimizer.step()
        optimizer.zero_grad()


# case: no workers, by name; a part of the data; a method that reads; a dataset of torchvision
class Records(Dataset):
    def __init__(self, folder: str, tokenizer):
        self.folder, self.tokenizer = folder, tokenizer

    def __len__(self):
        return 100

    def read(self, index: int):
        return np.load(f"{self.folder}/{index}.npy")

    def __getitem__(self, index: int):
        return torch.from_numpy(self.read(index))


def loaders(folder: str, tokenizer, picked: list[int]):
    settings = {"batch_size": 8, "num_workers": 0}
    first = DataLoader(Records(folder, tokenizer), **settings)  # expect: TPL209 @ DataLoader
    second = DataLoader(Subset(Records(folder, tokenizer), picked), 8, True, num_workers=0)  # expect: TPL209 @ DataLoader
    digits = datasets.MNIST(folder, transform=transforms.ToTensor())
    return first, second, DataLoader(digits, batch_size=64)  # expect: TPL209 @ DataLoader


# case: made where the file is imported, which workers that are not forked do again: no fix
net = nn.Linear(784, 10).cuda()
digits = datasets.MNIST("digits", transform=transforms.ToTensor())
for image, _ in DataLoader(digits, batch_size=64):  # expect: TPL209 @ DataLoader
    net(image.cuda().flatten(1)).sum().backward()

if __name__ == "__main__":
    for image, _ in DataLoader(digits, batch_size=64):  # expect: TPL209 @ DataLoader
        net(image.cuda().flatten(1)).sum().backward()


# ok: a dataset that is not in sight
def unknown(data, device: str):
    loader = DataLoader(data, batch_size=32, shuffle=True)
    return [x.to(device) for x in loader]


# case: items that are made element by element
class Masked(Dataset):
    def __init__(self, lines: list[list[int]], rng):
        self.lines, self.rng = lines, rng

    def __len__(self):
        return len(self.lines)

    def __getitem__(self, index: int):
        tokens = []
        for token in self.lines[index]:
            tokens.append(0 if self.rng.random() < 0.2 else token)
        return torch.LongTensor(tokens)


def masked(lines: list[list[int]], rng):
    return DataLoader(Masked(lines, rng), batch_size=128, shuffle=True)  # expect: TPL209 @ DataLoader


def started(lines: list[list[int]], rng, sampler, model: nn.Module, optimizer):
    """A training drops the last batch, though another function takes its steps."""
    loader = DataLoader(Masked(lines, rng), batch_size=64, sampler=sampler, drop_last=True)  # expect: TPL209 @ DataLoader
    fit(loader, model, optimizer)


# ok: the data are in memory
class Rows(Dataset):
    def __init__(self, x: torch.Tensor, y: torch.Tensor):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index: int):
        return self.x[index], self.y[index]


def in_memory(x: torch.Tensor, y: torch.Tensor):
    return DataLoader(TensorDataset(x, y), batch_size=64), DataLoader(Rows(x, y), batch_size=64, shuffle=True)


# ok: there are workers, or their number is a setting
def told(paths: list[str], transform, args, workers: int):
    data = datasets.ImageFolder(paths[0], transform=transform)
    first = DataLoader(data, batch_size=64, num_workers=4)
    second = DataLoader(data, batch_size=64, num_workers=workers)
    third = DataLoader(data, batch_size=64, **args)
    return first, second, third, DataLoader(data, 64, False, None, None, args.workers)


# ok: its items are on the GPU already
class Cached(Dataset):
    def __init__(self, paths: list[str], transform):
        self.items = [transform(Image.open(path)).cuda() for path in paths]
        self.transform = transform

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index: int):
        return self.transform(self.items[index])


def cached(paths: list[str], transform):
    return DataLoader(Cached(paths, transform), batch_size=64)


# ok: a stream, which workers would each give whole; and what is not in sight and does not shuffle
class Stream(IterableDataset):
    def __iter__(self):
        with open("lines.json") as lines:
            yield from map(json.loads, lines)


def streams(data):
    return DataLoader(Stream(), batch_size=8), DataLoader(data, batch_size=8)


# ok: another loader
def other(data):
    from dali import DataLoader as Pipeline

    return Pipeline(data, shuffle=True)


# ok: the steps are those of another framework
def for_jax(paths: list[str], transform):
    import jax

    return jax.device_count(), DataLoader(Photos2(paths, transform), batch_size=64, shuffle=True)


class Photos2(Dataset):
    def __init__(self, paths: list[str], transform):
        self.paths, self.transform = paths, transform

    def __getitem__(self, index: int):
        return self.transform(Image.open(self.paths[index]))


# ok: no model and no GPU has to do with its items, which become arrays
class Clouds(Dataset):
    def __init__(self, paths: list[str]):
        self.paths = paths

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index: int):
        return {"points": torch.from_numpy(np.load(self.paths[index]))}


def measure(paths: list[str], evaluator):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(Clouds(paths), batch_size=1, num_workers=0)
    for number, item in enumerate(loader):
        print(number, device, evaluator.distance(item["points"].squeeze(0).numpy()))
