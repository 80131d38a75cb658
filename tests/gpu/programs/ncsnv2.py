"""ermongroup/ncsnv2 at 1bcea03bd97d76a8357b9d674fa0bae5ff0f1093"""

import functools
import os
import runpy
import sys
from pathlib import Path

import torch
import torchvision
import yaml

torch.load = functools.partial(torch.load, weights_only=False)
loads = yaml.load
yaml.load = lambda stream, Loader=yaml.Loader: loads(stream, Loader)
made = torchvision.datasets.FakeData
torchvision.datasets.CIFAR10 = lambda root, train=True, download=False, transform=None: made(24, (3, 32, 32), 10, transform)
stand_in("lmdb")
Path("configs").mkdir()
os.makedirs("exp/tensorboard")


def told(name, **parts):
    cfg = yaml.safe_load((FOLDER / "configs" / "cifar10.yml").read_text(encoding="utf-8"))
    cfg["training"].update(batch_size=6, n_iters=105, snapshot_freq=50, log_all_sigmas=True)
    cfg["sampling"].update(batch_size=4, n_steps_each=2, ckpt_id=50, final_only=False)
    cfg["test"].update(begin_ckpt=50, end_ckpt=50, batch_size=6)
    cfg["fast_fid"].update(batch_size=4, num_samples=4, n_steps_each=1, begin_ckpt=50, end_ckpt=50)
    cfg["data"].update(num_workers=0)
    cfg["model"].update(num_classes=4, ngf=8)
    for part, more in parts.items():
        cfg[part].update(more)
    Path("configs", name).write_text(yaml.safe_dump(cfg), encoding="utf-8")


def run(name, *flags):
    sys.argv = ["main.py", "--config", name, "--doc", "some", "--ni", *flags]
    try:
        runpy.run_path(str(FOLDER / "main.py"), run_name="__main__")
    except (Exception, SystemExit) as no:
        print(flags, type(no).__name__, str(no)[:200])


told("one.yml")
told("two.yml", sampling={"inpainting": True}, data={"uniform_dequantization": True})
told("three.yml", sampling={"interpolation": True, "n_interpolations": 3, "data_init": True})
run("one.yml")
run("one.yml", "--sample", "-i", "a")
run("two.yml", "--sample", "-i", "b")
run("three.yml", "--sample", "-i", "c")
run("one.yml", "--test")
