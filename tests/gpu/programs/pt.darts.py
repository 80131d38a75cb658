"""khanrc/pt.darts at 48e71375c88772daac376829fb4bfebc4fb78144, `.view(-1)` of what is not contiguous written `.reshape(-1)`"""

import os
import runpy
import sys

import torch
import torchvision


class CIFAR10(torch.utils.data.Dataset):
    """Noise."""

    def __init__(self, *_, **__):
        self.train_data = torch.zeros(64, 32, 32, 3)

    def __len__(self):
        return 64

    def __getitem__(self, at):
        return torch.randn(3, 32, 32), at % 10


torchvision.datasets.CIFAR10 = CIFAR10
stand_in("graphviz")
stand_in("tensorboardX", SummaryWriter=Writer)
import graphviz

graphviz.Digraph = lambda *_, **__: type("Graph", (), {"body": [], "__getattr__": lambda self, _: lambda *_, **__: None})()
os.makedirs("searchs/some/plots")
os.makedirs("augments/some")
few = ["--name", "some", "--dataset", "cifar10", "--batch_size", "8", "--epochs", "2", "--init_channels", "4", "--workers", "0"]
sys.argv = ["search.py", *few, "--layers", "3"]
runpy.run_path(str(FOLDER / "search.py"), run_name="__main__")
cell = [[("sep_conv_3x3", 0), ("dil_conv_5x5", 1)], [("skip_connect", 0), ("dil_conv_3x3", 1)], [("sep_conv_3x3", 1), ("skip_connect", 0)], [("max_pool_3x3", 1), ("skip_connect", 0)]]
sys.argv = ["augment.py", *few, "--layers", "6", "--genotype", f"Genotype(normal={cell}, normal_concat=range(2, 6), reduce={cell}, reduce_concat=range(2, 6))"]
runpy.run_path(str(FOLDER / "augment.py"), run_name="__main__")
