"""YU1ut/MixMatch-pytorch at cc7ef42cffe61288d06eec1428268b384674009a, `.view(-1)` of what is not contiguous written `.reshape(-1)`"""

import runpy
import sys

import numpy as np
import torch
import torchvision


class CIFAR10(torch.utils.data.Dataset):
    """Three hundred pictures of noise."""

    def __init__(self, *_, transform=None, target_transform=None, **__):
        self.transform, self.target_transform = transform, target_transform
        self.data, self.targets = np.random.randint(0, 255, (300, 32, 32, 3), dtype=np.uint8), list(np.arange(300) % 10)

    def __len__(self):
        return len(self.data)


class Bar:
    elapsed_td = eta_td = 0

    def __init__(self, *_, **__):
        pass

    next = finish = lambda self: None


torchvision.datasets.CIFAR10 = CIFAR10
torch.utils.data.dataloader._BaseDataLoaderIter.next = lambda self: next(self)
stand_in("matplotlib", "matplotlib.pyplot")
stand_in("tensorboardX", SummaryWriter=lambda *_: Writer())
Writer.close = lambda self: None
stand_in("progress", __path__=[])
stand_in("progress.bar", Bar=Bar)
import dataset.cifar10

dataset.cifar10.train_val_split = lambda *_: (list(range(64)), list(range(64, 200)), list(range(200, 264)))
sys.argv = ["train.py", "--epochs", "2", "--train-iteration", "6", "--batch-size", "16"]
runpy.run_path(str(FOLDER / "train.py"), run_name="__main__")
