"""pranz24/pytorch-soft-actor-critic at c1805660b3961694be54079a355155a5cad492f5"""

import runpy
import sys
from types import SimpleNamespace

import numpy as np


class World:
    """Stands for a task of gym."""

    _max_episode_steps = 10
    observation_space = SimpleNamespace(shape=(17,))
    action_space = SimpleNamespace(
        shape=(6,),
        high=np.ones(6, dtype=np.float32),
        low=-np.ones(6, dtype=np.float32),
        seed=lambda _: None,
        sample=lambda: np.random.uniform(-1, 1, 6),
    )

    def seed(self, _):
        pass

    def reset(self):
        self.moment = 0
        return np.random.randn(17)

    def step(self, _):
        self.moment += 1
        return np.random.randn(17), np.random.randn(), self.moment == self._max_episode_steps, {}

    def close(self):
        pass


stand_in("gym", make=lambda _: World())
short = ["--batch_size", "16", "--start_steps", "20"]
for given in (
    ["--automatic_entropy_tuning", "True", "--num_steps", "100"],
    ["--policy", "Deterministic", "--num_steps", "40"],
):
    sys.argv = ["main.py", *short, *given, *(["--cuda"] if DEVICE == "cuda" else [])]
    runpy.run_path(str(FOLDER / "main.py"), run_name="__main__")
