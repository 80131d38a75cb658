"""Diego999/pyGAT at 3664f2dc90cbf971564c0bf186dc794f12446d0c"""

import runpy
import sys

import torch

stand_in("scipy", "scipy.sparse")
import utils


def load_data():
    near = (torch.rand(200, 200) < 0.05).float() + torch.eye(200)
    parts = torch.arange(200).split(70)
    return (near, torch.rand(200, 40), torch.randint(0, 5, (200,)), *parts)


utils.load_data = load_data
for more in ([], ["--sparse"]):
    sys.argv = ["train.py", "--epochs", "3", *more]
    runpy.run_path(str(FOLDER / "train.py"), run_name="__main__")
