"""Numbers that are read off something of which nothing is known: an array has them as well, but nobody calls a loss of arrays so."""

import numpy as np
import torch
from elsewhere import measured


class Meter:
    def update(self, step, given, wanted):
        value = measured(given, wanted)
        self.total += value.item()  # fact: value.item() => no wait
        self.last = step["loss"].item()  # fact: step["loss"].item() => wait
        self.rows = np.array(step["rows"]).mean().item()  # fact: np.array(step["rows"]).mean().item() => no wait


class Trainer:
    def update(self, given, wanted):
        loss = self.criterion(given, wanted)
        self.total += loss.item()  # fact: loss.item() => wait


class Rows(torch.utils.data.Dataset):
    def __getitem__(self, index):
        loss = measured(index)
        return loss.item()  # fact: loss.item() => no wait


def never_made(model, loader, device):
    total = 0.0
    for x in loader:
        loss = model(x.to(device)).mean()
        loss.backward()
        total += loss_value.item()  # fact: loss_value.item() => no wait
    return total
