"""Tables that a `forward` takes apart: what the modules of its class in sight are called with."""

import torch
from lightning.pytorch import LightningModule
from torch import nn


class Criterion(nn.Module):
    def forward(self, out, target, weights):
        err = (out["box"] - target["box"]).abs()  # fact: out["box"] => tensor, likely && err => tensor, maybe
        things = target["ids"] > 0  # fact: things => tensor, bool, maybe
        return err[things].mean() * weights["box"]  # fact: weights["box"] => unknown && err[things] => wait


class Detector(LightningModule):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 4)
        self.criterion = Criterion()

    def forward(self, x):
        return {"box": self.head(x)}

    def training_step(self, batch, batch_idx):
        image, target = batch
        return self.criterion(self(image), target, self.weights_of(batch_idx))


class Tried(nn.Module):
    def forward(self, table):
        return table["x"] + 1  # fact: table["x"] => unknown


if __name__ == "__main__":
    tried = Tried()
    tried({"x": torch.zeros(3)})
