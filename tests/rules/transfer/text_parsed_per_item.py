from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pandas as pd
import torch
from torch.utils.data import DataLoader, Dataset


# doc: Clouds of points, each in a file of text
class Clouds(Dataset):
    def __init__(self, paths: list[Path]):
        self.paths = paths

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index: int):
        points = np.loadtxt(self.paths[index], delimiter=",")  # expect: TPL214 @ np.loadtxt(self.paths[index], delimiter=",")
        return torch.from_numpy(points.astype(np.float32))


def train(model: torch.nn.Module, paths: list[Path]):
    for points in DataLoader(Clouds(paths), batch_size=24, num_workers=4):
        model(points.cuda()).sum().backward()


# case: a method that `__getitem__` calls, by way of another
class Series(Dataset):
    def __getitem__(self, index: int):
        return self.window(index)

    def window(self, index: int):
        return self.table(index)[:96]

    def table(self, index: int):
        frame = pd.read_csv(self.paths[index])  # expect: TPL214 @ pd.read_csv(self.paths[index])
        return torch.from_numpy(frame.to_numpy())


# case: in the branch that is taken unless a cache was asked for
class Chosen(Dataset):
    def __init__(self, paths: list[Path], in_memory: bool):
        self.paths = paths
        self.held = [np.loadtxt(each) for each in paths] if in_memory else None

    def __getitem__(self, index: int):
        if self.held:
            return torch.from_numpy(self.held[index])
        return torch.from_numpy(np.genfromtxt(self.paths[index]))  # expect: TPL214 @ np.genfromtxt(self.paths[index])


# case: the labels of an image, a hint
class Boxes(Dataset):
    def __getitem__(self, index: int):
        boxes = np.loadtxt(self.paths[index].with_suffix(".txt"))  # expect: TPL214 @ np.loadtxt(self.paths[index].with_suffix(".txt"))
        return torch.from_numpy(cv2.imread(str(self.paths[index]))), torch.from_numpy(boxes)


# ok: it is kept for the next time
class Cached(Dataset):
    def __init__(self, paths: list[Path]):
        self.paths = paths
        self.cache = {}

    def __getitem__(self, index: int):
        if index not in self.cache:
            points = np.loadtxt(self.paths[index])
            self.cache[index] = torch.from_numpy(points)
        return self.cache[index]


class Lists(Dataset):
    def __init__(self, paths: list[Path]):
        self.paths = paths
        self.held = [None] * len(paths)

    def __getitem__(self, index: int):
        if self.held[index] is None:
            self.held[index] = np.loadtxt(self.paths[index])
        return torch.from_numpy(self.held[index])


class Decorated(Dataset):
    @lru_cache(maxsize=1000)
    def table(self, index: int):
        return np.loadtxt(self.paths[index])

    def __getitem__(self, index: int):
        return torch.from_numpy(self.table(index))


# ok: all is read before the first item
class Read(Dataset):
    def __init__(self, paths: list[Path]):
        self.paths = paths
        self.all = np.stack([np.loadtxt(each) for each in paths])

    def __getitem__(self, index: int):
        return torch.from_numpy(self.all[index])


# ok: numbers are read as numbers
class Saved(Dataset):
    def __getitem__(self, index: int):
        return torch.from_numpy(np.load(self.paths[index]))


# ok: no dataset
class Table:
    def __getitem__(self, path: str):
        return np.loadtxt(path)
