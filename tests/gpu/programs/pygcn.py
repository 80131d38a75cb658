"""tkipf/pygcn at 1600b5b748b3976413d1e307540ccc62605b4d6d"""

import runpy
import sys

import torch

stand_in("scipy", "scipy.sparse")
import pygcn.utils


def load_data():
    index = torch.randint(0, 300, (2, 2000))
    adjacency = torch.sparse_coo_tensor(index, torch.rand(2000), (300, 300))
    parts = torch.arange(300).split(100)
    return (adjacency, torch.randn(300, 50), torch.randint(0, 7, (300,)), *parts)


pygcn.utils.load_data = load_data
sys.argv = ["train.py", "--epochs", "4"]
runpy.run_path(str(FOLDER / "pygcn/train.py"), run_name="__main__")
