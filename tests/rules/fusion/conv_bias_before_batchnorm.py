from collections import OrderedDict

import torch
from torch import nn


# doc: A block of a convolution and a BatchNorm
class Block(nn.Module):
    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, padding=1),  # expect: TPL609 @ nn.Conv2d(inputs, outputs, 3, padding=1)
            nn.BatchNorm2d(outputs),
            nn.ReLU(),
        )

    def forward(self, x: torch.Tensor):
        return self.conv(x)


# case: in `forward`
class Named(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 7, stride=2)  # expect: TPL609 @ nn.Conv2d(3, width, 7, stride=2)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.ConvTranspose2d(width, width, 3, bias=True)  # expect: TPL609 @ nn.ConvTranspose2d(width, width, 3, bias=True)
        self.bn2 = nn.BatchNorm2d(width)

    def forward(self, x: torch.Tensor):
        x = self.bn1(self.conv1(x)).relu()
        x = self.conv2(x)
        x = self.bn2(x)
        return x.relu()


# case: lines of layers, however they are made
def layers(inputs: int, outputs: int):
    made = [nn.Conv1d(inputs, outputs, 3), nn.BatchNorm1d(outputs), nn.ReLU()]  # expect: TPL609 @ nn.Conv1d(inputs, outputs, 3)
    made.append(nn.Conv1d(outputs, outputs, 3))  # expect: TPL609 @ nn.Conv1d(outputs, outputs, 3)
    made.append(nn.InstanceNorm1d(outputs))
    block = nn.Sequential()
    block.add_module("conv", nn.Conv3d(inputs, outputs, 3))  # expect: TPL609 @ nn.Conv3d(inputs, outputs, 3)
    block.add_module("norm", nn.BatchNorm3d(outputs))
    named = OrderedDict([("conv", nn.Conv2d(inputs, outputs, 1)), ("norm", nn.SyncBatchNorm(outputs))])  # expect: TPL609 @ nn.Conv2d(inputs, outputs, 1)
    return nn.Sequential(*made), block, nn.Sequential(named)


# ok: no bias, or nobody knows, or arguments that are not shown
def without(inputs: int, outputs: int, bias: bool, more: dict):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, bias=False),
        nn.BatchNorm2d(outputs),
        nn.Conv2d(inputs, outputs, 3, 1, 1, 1, 1, bias),
        nn.BatchNorm2d(outputs),
        nn.Conv2d(inputs, outputs, 3, bias=bias),
        nn.BatchNorm2d(outputs),
        nn.Conv2d(inputs, outputs, 3, **more),
        nn.BatchNorm2d(outputs),
    )


# ok: something stands between, or the norm takes no mean of each channel, or comes before
def others(inputs: int, outputs: int, norm: type[nn.Module], is_normed: bool):
    made = [
        nn.Conv2d(inputs, outputs, 3),
        nn.ReLU(),
        nn.BatchNorm2d(outputs),
        nn.Conv2d(inputs, outputs, 3),
        nn.GroupNorm(8, outputs),
        nn.Conv2d(inputs, outputs, 3),
        norm(outputs),
        nn.Conv2d(inputs, outputs, 3),
    ]
    if is_normed:
        made.append(nn.BatchNorm2d(outputs))
    made.append(nn.Conv2d(inputs, outputs, 3))
    if is_normed:
        made.append(nn.BatchNorm2d(outputs))
    return nn.Sequential(*made)


# ok: next to each other in a list of branches
class Branches(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.branches = nn.ModuleList([nn.Conv2d(width, width, 3), nn.BatchNorm2d(width)])

    def forward(self, x: torch.Tensor):
        return sum(branch(x) for branch in self.branches)


# ok: what the convolution gives is read elsewhere too, or may go around the norm
class Read(nn.Module):
    def __init__(self, width: int, norm: bool):
        super().__init__()
        self.a, self.b, self.c, self.d = (nn.Conv2d(width, width, 3) for _ in range(4))
        self.first = nn.Conv2d(width, width, 3)
        self.second = nn.Conv2d(width, width, 3)
        self.third = nn.Conv2d(width, width, 3)
        self.fourth = nn.Conv2d(width, width, 3)
        self.bn = nn.BatchNorm2d(width)
        self.maybe = nn.BatchNorm2d(width) if norm else nn.Identity()
        self.either = nn.BatchNorm2d(width) if norm else None
        nn.init.zeros_(self.third.bias)

    def forward(self, x: torch.Tensor):
        x = self.first(x)
        y = self.bn(x) + x
        z = self.maybe(self.second(y))
        w = self.bn(self.third(z))
        v = self.fourth(w)
        if self.either is not None:
            v = self.either(v)
        return v


# ok: weights that others trained
def pretrained(path: str):
    net = nn.Sequential(nn.Conv2d(3, 64, 7), nn.BatchNorm2d(64))
    net.load_state_dict(torch.hub.load_state_dict_from_url(path))
    return net
