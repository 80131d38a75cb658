"""sfujim/LAP-PAL at a649b1b977e979ed0e49d67335d3c79b555e9cfb"""

import runpy
import sys
from types import SimpleNamespace

import numpy as np


class Env:
    """Noise, in episodes of twenty steps."""

    _max_episode_steps = 20

    def __init__(self, name):
        self.discrete = name == "discrete"
        self.observation_space = SimpleNamespace(shape=(5,))
        self.action_space = SimpleNamespace(n=3, shape=(2,), high=np.ones(2), sample=self.draw)

    def draw(self):
        return np.random.randint(3) if self.discrete else np.random.rand(2)

    def seed(self, _):
        pass

    def reset(self):
        self.at = 0
        return np.random.randn(5)

    def step(self, _):
        self.at += 1
        return np.random.randn(5), float(np.random.randn()), self.at == 20, {}


stand_in("cv2")
stand_in("gym", make=Env, envs=SimpleNamespace(registry=SimpleNamespace(spec=lambda _: SimpleNamespace(entry_point=""))))
for folder, more, names in (
    ("continuous", ["--start_timesteps", "40", "--max_timesteps", "100", "--eval_freq", "50", "--batch_size", "16"], ("TD3", "PER_TD3", "LAP_TD3", "PAL_TD3")),
    ("discrete", ["--max_timesteps", "1060"], ("DDQN", "PER_DDQN", "LAP_DDQN", "PAL_DDQN")),
):
    sys.path.insert(0, str(FOLDER / folder))
    for name in names:
        sys.argv = ["main.py", "--algorithm", name, "--env", folder, *more]
        runpy.run_path(str(FOLDER / folder / "main.py"), run_name="__main__")
    sys.path.remove(str(FOLDER / folder))
    del sys.modules["utils"]
