"""Numbers that are read off something of which nothing is known, in a file that has nothing but torch to read them off."""

import torch
from elsewhere import measured, settings


class Meter:
    def update(self, given, wanted):
        value = measured(given, wanted)
        self.total += value.item()  # fact: value.item() => wait
        self.last = settings.item("last")  # fact: settings.item("last") => no wait


def kept(model: torch.nn.Module, path):
    return torch.load(path)
