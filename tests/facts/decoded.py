"""A module that a file makes only to export it is traced once; one that it runs as well is not."""

import torch
from torch import nn


class Decoded(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x):
        return self.model(x).sigmoid()  # fact: self.model(x) => ONCE


class Tried(nn.Module):
    def forward(self, x):
        return x.sigmoid()  # fact: x.sigmoid() => INNER


class Inline(nn.Module):
    def forward(self, x):
        return x.sigmoid()  # fact: x.sigmoid() => ONCE


class Elsewhere(nn.Module):
    def forward(self, x):
        return x.sigmoid()  # fact: x.sigmoid() => INNER


class Bound(nn.Module):
    def forward(self, x):
        return x.sigmoid()  # fact: x.sigmoid() => INNER


def convert(model, path):
    x = torch.zeros(1, 3, 64, 64)
    decoded = Decoded(model)
    decoded.eval()
    torch.onnx.export(decoded, x, path)
    tried = Tried().eval()
    torch.onnx.export(tried, x, path)
    torch.onnx.export(Inline().eval(), x, path)
    bound = Bound()
    bound = bound.eval()
    bound = bound.cuda()
    torch.onnx.export(bound, x, path)
    return tried(x)
