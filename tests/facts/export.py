"""A file for export: its modules are traced once, whatever they are called for elsewhere."""

import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self, model, height, width):
        super().__init__()
        self.model = model
        self.size = (width, height)

    def forward(self, x):
        size = torch.tensor(self.size, device=x.device)  # fact: torch.tensor(self.size, device=x.device) => ONCE
        return self.model(x) / size


def train(model, loader, optimizer):
    for x in loader:
        model(x).sum().backward()
        optimizer.step()  # fact: optimizer.step() => STEP


class Traced(nn.Module):
    def forward(self, x: torch.Tensor, lengths: torch.Tensor):
        if self.onnx_trace:
            return x[: lengths.max().item()]  # fact: lengths.max().item() => no wait
        return x[: lengths.max().item()]  # fact: lengths.max().item() => wait


class Exported(nn.Module):
    def forward(self, x: torch.Tensor, lengths: torch.Tensor):
        longest = lengths.max().item()  # fact: lengths.max().item() => no wait
        torch._check_is_size(longest)
        return x[:longest]


@torch.jit.script_if_tracing
def longest(lengths: torch.Tensor):
    return lengths.max().item()  # fact: lengths.max().item() => wait


@torch.jit.script
def longest_scripted(lengths: torch.Tensor):
    return lengths.max().item()  # fact: lengths.max().item() => no wait
