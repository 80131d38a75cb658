"""toshikwa/sac-discrete.pytorch at 40c9d246621e658750e0a03001325006da57f2d4"""

import runpy
import sys
from pathlib import Path

import numpy as np
import yaml


class Box:
    """Four frames."""

    shape = (4, 84, 84)


class Discrete:
    """Three actions."""

    n = 3

    def sample(self):
        return np.random.randint(self.n)


class Env:
    """Noise, in episodes of ten steps."""

    observation_space, action_space = Box(), Discrete()

    def seed(self, _):
        pass

    def reset(self):
        self.at = 0
        return np.random.randint(0, 255, Box.shape).astype(np.uint8)

    def step(self, _):
        self.at += 1
        return np.random.randint(0, 255, Box.shape).astype(np.uint8), float(np.random.randn()), self.at == 10, {}

    def close(self):
        pass


stand_in("gym", Wrapper=object, RewardWrapper=object, ObservationWrapper=object, spaces=None, wrappers=None)
import sacd.env

sacd.env.make_pytorch_env = lambda *_, **__: Env()
base = {"num_steps": 60, "batch_size": 8, "memory_size": 200, "start_steps": 20, "update_interval": 4, "target_update_interval": 20}
base |= {"num_eval_steps": 15, "log_interval": 2, "eval_interval": 30}
for at, (more, flags) in enumerate(
    (({}, []), ({"dueling_net": True}, ["--shared"]), ({"use_per": True, "multi_step": 3}, []), ({"use_per": True}, ["--shared"]))
):
    Path(f"some{at}.yaml").write_text(yaml.safe_dump(base | more), encoding="utf-8")
    sys.argv = ["train.py", "--config", f"some{at}.yaml", "--cuda", *flags]
    runpy.run_path(str(FOLDER / "train.py"), run_name="__main__")
