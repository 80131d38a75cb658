"""sfujim/BCQ at 4876f7e5afa9eb2981feec5daf67202514477518"""

import os
import runpy
import sys

import numpy as np
import torch


class Space:
    """Of numbers, or of two actions."""

    def __init__(self, shape=None, n=None):
        self.shape, self.n = shape, n
        self.high = np.ones(shape) if shape else None

    def seed(self, _):
        pass

    def sample(self):
        return np.random.uniform(-1, 1, self.shape) if self.shape else np.random.randint(self.n)


class Env:
    """Noise, in episodes of eight steps."""

    observation_space, _max_episode_steps = Space((11,)), 8

    def __init__(self, name, *_):
        self.action_space = Space((3,)) if name == "Hopper-v3" else Space(n=2)

    def seed(self, _):
        pass

    def reset(self):
        self.at = 0
        return np.random.randn(11)

    def step(self, _):
        self.at += 1
        return np.random.randn(11), float(np.random.rand()), self.at == 8, {}


stand_in("gym", make=Env, Wrapper=object, spaces=None)
stand_in("cv2")
for part, name, more in (
    ("continuous_BCQ", "Hopper-v3", ["--start_timesteps", "20", "--eval_freq", "10", "--batch_size", "16"]),
    ("discrete_BCQ", "CartPole-v0", []),
):
    sys.path.insert(0, str(FOLDER / part))
    sys.modules.pop("utils", None)
    if part == "discrete_BCQ":
        import utils

        utils.make_env = lambda name, *_: (Env(name), False, 11, 2)
    for stage in (["--train_behavioral"], ["--generate_buffer"], []):
        sys.argv = ["main.py", "--env", name, "--max_timesteps", "40", *more, *stage]
        path = FOLDER / part / "main.py"
        if part == "continuous_BCQ":
            runpy.run_path(str(path), run_name="__main__")
            continue
        text = path.read_text(encoding="utf-8")
        for written, less in (("1e3,", "20.,"), ("5e3,", "10.,"), ("1e6,", "1e3,"), ("2e4,", "20.,")):
            text = text.replace(written, less)
        exec(compile(text, str(path), "exec"), {"__name__": "__main__"})
