"""tjddus9597/Proxy-Anchor-CVPR2020 at 51db57031e38f75c03f69bbdfad1a3233afd9787"""

import os
import runpy
import sys
from pathlib import Path

import torch

stand_in("wandb")
stand_in("pytorch_metric_learning", miners=None, losses=None)
sys.path.insert(0, str(FOLDER / "code"))
import dataset
import dataset.utils
import torchvision.models


class Made(torch.utils.data.Dataset):
    """Images of four kinds."""

    def __init__(self, mode, **_):
        self.ys, self.classes = [at % 4 for at in range(48 if mode == "train" else 1040)], range(4)

    def __len__(self):
        return len(self.ys)

    def nb_classes(self):
        return 4

    def __getitem__(self, at):
        return torch.randn(3, 32, 32), self.ys[at]


dataset._type["cub"] = dataset._type["SOP"] = Made
real = torchvision.models.resnet18
torchvision.models.resnet18 = lambda _: real()
Path("data").mkdir()
Path("code").mkdir()
for name in ("cub", "SOP"):
    os.chdir("code")
    sys.argv = ["train.py", "--dataset", name, "--model", "resnet18", "--embedding-size", "32", "--batch-size", "16"]
    sys.argv += ["--epochs", "2", "--workers", "1"] + (["--IPC", "4"] if name == "SOP" else [])
    runpy.run_path(str(FOLDER / "code" / "train.py"), run_name="__main__")
    os.chdir("..")
