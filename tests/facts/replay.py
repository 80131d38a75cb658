"""Datasets that a loader does not read: their methods run where the program calls them."""

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset


class Replay(Dataset):
    def __init__(self, capacity: int, device):
        self.device = device
        self.actions = np.empty((capacity, 4), dtype=np.float32)

    def sample(self, count: int):
        picked = np.random.randint(0, 9, size=count)
        actions = torch.as_tensor(self.actions[picked], device=self.device)  # fact: torch.as_tensor(self.actions[picked], device=self.device) => wait
        return actions

    def __getitem__(self, i):
        torch.as_tensor(self.actions[i], device=self.device)  # fact: torch.as_tensor(self.actions[i], device=self.device) => no wait
        return self.loaded(i), self.drawn(i)

    def loaded(self, i):
        return torch.as_tensor(self.actions[i], device=self.device)  # fact: torch.as_tensor(self.actions[i], device=self.device) => no wait

    def drawn(self, i):
        x = torch.from_numpy(self.actions[i])
        return x[x > 0]  # fact: x[x > 0] => no wait

    def noise(self, x: torch.Tensor):
        return x[x > 0]  # fact: x[x > 0] => no wait


def resident(x: torch.Tensor, y: torch.Tensor, net, device):
    rows = TensorDataset(x.to(device), torch.ones(8, 3).cuda())
    for a, b in DataLoader(rows, batch_size=4):
        net(a)
        b.sum().item()  # fact: b => tensor, cuda, rank 2 && b.sum().item() => wait
    for c, d in DataLoader(TensorDataset(torch.ones(8, 3), torch.ones(8)), batch_size=4):
        net(c)
        d.sum().item()  # fact: d => tensor, cpu, rank 1 && d.sum().item() => no wait
