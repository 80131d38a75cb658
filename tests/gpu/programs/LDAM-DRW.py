"""kaidic/LDAM-DRW at 2536330f2afdaa65618323cb5a5850efccce762a"""

import runpy
import sys

import numpy as np
import torch
import torchvision


class CIFAR10(torch.utils.data.Dataset):
    """Noise, of ten classes."""

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        self.data = np.random.randint(0, 255, (400 if train else 100, 32, 32, 3)).astype(np.uint8)
        self.targets, self.transform = [at % 10 for at in range(len(self.data))], transform

    def __len__(self):
        return len(self.data)

    def __getitem__(self, at):
        from PIL import Image

        return self.transform(Image.fromarray(self.data[at])), self.targets[at]


torchvision.datasets.CIFAR10 = torchvision.datasets.CIFAR100 = CIFAR10
stand_in("tensorboardX", SummaryWriter=Writer)
stand_in("matplotlib", "matplotlib.pyplot", "sklearn", "sklearn.utils", "sklearn.utils.multiclass")
stand_in("sklearn.metrics", confusion_matrix=lambda *_: np.eye(10))
for loss, rule in (("CE", "None"), ("LDAM", "DRW"), ("Focal", "Reweight")):
    options = ["--loss_type", loss, "--train_rule", rule, "--epochs", "2", "-b", "32", "-p", "2", "-j", "0", "--gpu", "0"]
    sys.argv = ["cifar_train.py", *options, "--imb_factor", "0.5"]
    runpy.run_path(str(FOLDER / "cifar_train.py"), run_name="__main__")
