"""What libraries of training loops place on the device that they work on."""

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader


def fit(fabric: L.Fabric, model: nn.Module, loader: DataLoader):
    for batch in loader:
        z = batch["x"].sum()  # fact: z => tensor, maybe
        fabric.backward(model(z))


def main(fabric: L.Fabric, model: nn.Module, data, rows):
    first, second = fabric.setup_dataloaders(data.first(), data.second())
    fit(fabric, model, first)
    for x in second:
        a = x.sum()  # fact: a => tensor, maybe
    for x in fabric.setup_dataloaders(DataLoader(rows)):
        b = x.sum()  # fact: b => tensor, maybe
    for x in fabric.setup_dataloaders(DataLoader(rows), move_to_device=False):
        c = x  # fact: c => unknown
    d, e = fabric.to_device((torch.zeros(3), [torch.ones(3)]))  # fact: d => tensor, maybe
    f = e[0].sum()  # fact: f => tensor, maybe
    g = fabric.to_device(rows)  # fact: g => unknown
    return a, b, c, d, f, g
