"""kekmodel/MPL-pytorch at 7dc629702034319eda113aba3b006ba968e8e882"""

import functools
import runpy
import sys

import numpy as np
import torch
from torchvision import datasets

torch.load = functools.partial(torch.load, weights_only=False)


class Few(datasets.VisionDataset):
    """Stands for CIFAR-10."""

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        many = 80 if train else 24
        self.data, self.targets = np.random.randint(0, 255, (many, 32, 32, 3), dtype=np.uint8), [at % 10 for at in range(many)]

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        from PIL import Image

        image = Image.fromarray(self.data[index])
        return (self.transform(image) if self.transform else image), self.targets[index]


datasets.CIFAR10 = Few
small = ["--num-labeled", "40", "--workers", "0", "--batch-size", "4", "--mu", "2", "--total-steps", "6", "--eval-step", "3", "--finetune-epochs", "2", "--finetune-batch-size", "8"]
for flags in (["--name", "one", "--ema", "0.99", "--seed", "1", "--label-smoothing", "0.1", "--threshold", "0.1"], ["--name", "two", "--amp", "--expand-labels", "--grad-clip", "0", "--randaug", "2", "8"], ["--name", "three", "--evaluate", "--resume", "checkpoint/one_last.pth.tar"]):
    sys.argv = ["main.py", *small, *flags]
    try:
        runpy.run_path(str(FOLDER / "main.py"), run_name="__main__")
    except (Exception, SystemExit) as no:
        print(flags, type(no).__name__, str(no)[:200])
