"""clovaai/CutMix-PyTorch at 2d8eb68faff7fe4962776ad51d175c3b01a25734"""

import sys

import numpy as np
import torch

np.int, torch.Tensor.view = int, torch.Tensor.reshape  # as they were
import train


def made(*_, train=True, **__):
    return torch.utils.data.TensorDataset(torch.randn(96, 3, 32, 32), torch.randint(0, 100, (96,)))


train.datasets.CIFAR100 = train.datasets.CIFAR10 = made
for more in (["--net_type", "resnet", "--depth", "20"], ["--net_type", "pyramidnet", "--depth", "20", "--alpha", "48"]):
    sys.argv = ["train.py", "--dataset", "cifar100", "--epochs", "2", "-b", "32", "-j", "1", "--beta", "1"]
    sys.argv += ["--cutmix_prob", "0.5", "--no-bottleneck", *more]
    train.main()
