"""What a class puts into a dictionary that it keeps, or that a class above it keeps."""

import torch
from torch import nn


class Transform(nn.Module):
    def __init__(self, chance: float):
        super().__init__()
        self.drawn = {}
        self.chance = chance

    def forward(self, x: torch.Tensor):
        self.drawn = {"chosen": torch.rand(8, device=x.device) < self.chance}
        if self.drawn["chosen"].any():  # fact: self.drawn["chosen"].any() => tensor, bool
            x = x[self.drawn["chosen"]]  # fact: x[self.drawn["chosen"]] => wait
        return self.change(x)

    def change(self, x: torch.Tensor):
        return x


class Gain(Transform):
    def draw(self, x: torch.Tensor):
        self.drawn["gain"] = torch.rand(8, device="cuda")
        self.drawn["count"] = 8
        self.drawn["half"] = self.drawn["gain"] / 2  # fact: self.drawn["gain"] / 2 => tensor, cuda

    def change(self, x: torch.Tensor):
        low = self.drawn["half"][0].item()  # fact: self.drawn["half"][0].item() => wait
        count = self.drawn["count"]  # fact: count => number, int
        other = self.drawn["other"]  # fact: other => unknown
        return x * low, count, other


class Shift(Transform):
    def change(self, x: torch.Tensor):
        return self.drawn["gain"]  # fact: self.drawn["gain"] => unknown


class OnHost(Transform):
    def draw(self):
        self.drawn["gain"] = torch.rand(8)

    def change(self, x: torch.Tensor):
        return self.drawn["gain"][0].item()  # fact: self.drawn["gain"][0].item() => no wait


class Log:
    def __init__(self):
        self.kept = {}
        self.rows = []

    def put(self, loss: torch.Tensor, name: str):
        self.kept["loss"] = loss.detach().cpu()
        self.kept["epoch"] = 0
        self.kept[name] = loss
        self.rows[0] = loss

    def tell(self):
        self.kept["epoch"] += 1
        loss = self.kept["loss"].item()  # fact: self.kept["loss"].item() => no wait
        return loss, self.kept["epoch"]  # fact: self.kept["epoch"] => number
