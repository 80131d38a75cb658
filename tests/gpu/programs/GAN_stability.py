"""LMescheder/GAN_stability at c1f64c9efeac371453065e5ce71860f4c2b97357"""

import os
import runpy
import sys
from pathlib import Path

import numpy as np
import torch
import yaml
from PIL import Image

STEPS = 8


class Enough(Exception):
    """It would run for ever."""


class Few(Writer):
    """Stops a run after some steps, of each of which five numbers are written."""

    def __init__(self, *some, **named):
        super().__init__(*some, **named)
        self.left = 5 * STEPS

    def add_scalar(self, *some, **named):
        super().add_scalar(*some, **named)
        self.left -= 1
        if self.left == 0:
            raise Enough


stand_in("tensorboardX", SummaryWriter=Few)
load = yaml.load
yaml.load = lambda stream, how=yaml.SafeLoader: load(stream, how)
for at in range(48):
    folder = Path("images", str(at % 2))
    folder.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.random.randint(0, 255, (32, 32, 3)).astype(np.uint8)).save(folder / f"{at}.png")
os.symlink(FOLDER / "configs", "configs")
for at, (loss, penalty, net, optimizer) in enumerate(
    (("standard", "real", "resnet", "rmsprop"), ("wgan", "wgangp", "resnet2", "adam"), ("standard", "real_fake", "resnet2", "sgd"), ("standard", "fake", "resnet", "adam"))
):
    kwargs = {"nfilter": 8, "nfilter_max": 16, "embed_size": 8}
    config = {
        "data": {"type": "image", "train_dir": "images", "img_size": 32, "nlabels": 2},
        "generator": {"name": net, "kwargs": kwargs},
        "discriminator": {"name": net, "kwargs": kwargs},
        "z_dist": {"type": ("gauss", "uniform")[at % 2], "dim": 16},
        "training": {"out_dir": f"out{at}", "gan_type": loss, "reg_type": penalty, "optimizer": optimizer, "batch_size": 8, "nworkers": 0, "sample_every": 2, "sample_nlabels": 2, "backup_every": 3},
    }
    Path(f"out{at}").mkdir()
    Path(f"some{at}.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    sys.argv = ["train.py", f"some{at}.yaml"]
    try:
        runpy.run_path(str(FOLDER / "train.py"), run_name="__main__")
    except Enough:
        pass
