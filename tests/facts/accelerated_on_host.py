"""Libraries of training loops that are told to work on the host."""

import lightning as L
import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader


def main(rows):
    fabric = L.Fabric(accelerator="cpu", devices=4)
    for x in fabric.setup_dataloaders(DataLoader(rows)):
        a = x.sum()  # fact: a => tensor, cpu
    b = fabric.to_device(torch.zeros(3))  # fact: b => tensor, cpu
    accelerator = Accelerator(cpu=True)
    for x in accelerator.prepare(DataLoader(rows)):
        c = x.sum()  # fact: c => tensor, cpu
    return a, b, c
