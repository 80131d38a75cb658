"""gwthomas/IQL-PyTorch at 71ea1aa313bb9d4bc4526bbb1824c9d6f4a46b92"""

import runpy
import sys
from types import SimpleNamespace

import numpy as np


class Field:
    """Stands for gym: eleven numbers are seen, three are chosen."""

    def __init__(self):
        self.at = 0

    def seed(self, _):
        pass

    def reset(self):
        self.at = 0
        return np.random.randn(11)

    def step(self, action):
        self.at += 1
        return np.random.randn(11), float(np.square(action).sum()), self.at == 15, {}


def dataset(_):
    many = 400
    ends = np.zeros(many, dtype=bool)
    ends[19::20] = True
    float32 = np.float32
    return {"observations": np.random.randn(many, 11).astype(float32), "actions": np.tanh(np.random.randn(many, 3)).astype(float32), "next_observations": np.random.randn(many, 11).astype(float32), "rewards": np.random.rand(many).astype(float32), "terminals": ends}


stand_in("gym", make=lambda _: Field())
stand_in("d4rl", qlearning_dataset=dataset, get_normalized_score=lambda _, returns: returns / 100)
for flags in (["--env-name", "hopper-medium-v2"], ["--env-name", "antmaze-umaze-v0", "--deterministic-policy"], ["--env-name", "pen-human-v0", "--beta", "0.5"]):
    sys.argv = ["main.py", *flags, "--log-dir", "out", "--hidden-dim", "32", "--n-steps", "9", "--batch-size", "16", "--eval-period", "4", "--n-eval-episodes", "2", "--max-episode-steps", "20"]
    try:
        runpy.run_path(str(FOLDER / "main.py"), run_name="__main__")
    except Exception as no:
        print(flags, type(no).__name__, str(no)[:200])
