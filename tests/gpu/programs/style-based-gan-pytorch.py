"""rosinality/style-based-gan-pytorch at 07fa60be77b093dd13a46597138df409ffc3b9bc"""

import os
import runpy
import sys
from types import SimpleNamespace

import torch
import tqdm

STEPS, RUNS = 110, (("--loss", "r1", "--sched", "--phase", "8000"), ("--loss", "wgan-gp", "--phase", "1000"))
SIZES, CHANNELS = {4 * 2**at for at in range(9)}, 3


class Transaction:
    """Pictures in each size; what they show is made up where they are opened."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def get(self, key):
        return b"70000" if key == b"length" else key.partition(b"-")[0]


def normalize(mean, std, inplace=False):
    mean, std = torch.tensor(mean)[:, None, None], torch.tensor(std)[:, None, None]
    return lambda picture: picture.sub_(mean).div_(std)


made = {size: torch.randint(0, 256, (CHANNELS, size, size), dtype=torch.uint8) for size in SIZES}
stand_in("lmdb", open=lambda *_, **__: SimpleNamespace(begin=lambda write: Transaction()))
stand_in("PIL", Image=SimpleNamespace(open=lambda buffer: made[int(buffer.read())]))
transforms = SimpleNamespace(Compose=Compose, RandomHorizontalFlip=lambda: lambda picture: picture.flip(-1) if torch.rand(()) < 0.5 else picture, ToTensor=lambda: lambda picture: picture / 255, Normalize=normalize)
stand_in("torchvision", datasets=None, transforms=transforms, utils=SimpleNamespace(save_image=lambda *_, **__: None))
tqdm.tqdm = lambda steps, **__: Bar(steps)


class Bar:
    """A bar that ends sooner."""

    def __init__(self, steps):
        self.steps = steps

    def __iter__(self):
        return iter(self.steps[:STEPS])

    def set_description(self, _):
        pass


for folder in ("sample", "checkpoint"):
    os.mkdir(folder)
for options in RUNS:
    sys.argv = ["train.py", "--mixing", *options, "LMDB"]
    runpy.run_path(str(FOLDER / "train.py"), run_name="__main__")
