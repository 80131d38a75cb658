"""MishaLaskin/curl at 8416d6e3869e38ca0e46fcbc54a2f784dc09d7fc"""

import sys
from types import SimpleNamespace

import numpy as np


class Wrapper:
    def __init__(self, env):
        self.env = env

    def __getattr__(self, name):
        return getattr(self.__dict__["env"], name)


class Box:
    def __init__(self, low, high, shape, dtype=np.float32):
        self.low, self.high, self.shape, self.dtype = np.full(shape, low), np.full(shape, high), shape, dtype

    def sample(self):
        return np.random.uniform(-1, 1, self.shape).astype(np.float32)


class Env:
    """Pictures of noise, in episodes of six steps."""

    observation_space, action_space, _max_episode_steps = Box(0, 255, (3, 100, 100), np.uint8), Box(-1, 1, (2,)), 6

    def seed(self, _):
        pass

    def _look(self):
        return np.random.randint(0, 255, (3, 100, 100)).astype(np.uint8)

    def reset(self):
        self.at = 0
        return self._look()

    def step(self, _):
        self.at += 1
        return self._look(), 1.0, self.at == 6, {}


stand_in("gym", Wrapper=Wrapper, spaces=SimpleNamespace(Box=Box))
stand_in("dmc2gym", make=lambda **_: Env())
stand_in("skimage", "skimage.util", "imageio")
stand_in("skimage.util.shape", view_as_windows=np.lib.stride_tricks.sliding_window_view)
stand_in("termcolor", colored=lambda text, *_, **__: text)
import curl_sac
import train

curl_sac.LOG_FREQ = 4
sys.argv = ["train.py", "--init_steps", "6", "--num_train_steps", "20", "--batch_size", "8", "--hidden_dim", "64"]
sys.argv += ["--eval_freq", "10", "--num_eval_episodes", "2", "--replay_buffer_capacity", "100", "--log_interval", "2"]
sys.argv += ["--save_tb", "--save_model"]
train.main()
