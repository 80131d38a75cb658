"""A file whose guard does nothing is no script: it is a library, which may run on a GPU."""

import torch
from torch import nn


class Meta(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        right = x.argmax(1).eq(y).sum().item()  # fact: x.argmax(1).eq(y).sum().item() => wait
        return right


def main():
    """Nothing yet."""


if __name__ == "__main__":
    main()
