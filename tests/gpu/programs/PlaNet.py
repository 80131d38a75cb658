"""Kaixhin/PlaNet at 28c8491bc01e8f1b911300749e04c308c03db051"""

import runpy
import sys
from types import SimpleNamespace

import numpy as np


class Space:
    shape, low, high = (3,), -np.ones(3), np.ones(3)

    def sample(self):
        return np.random.uniform(-1, 1, 3)


class Env:
    """Noise, in episodes of sixteen steps."""

    observation_space = action_space = Space()

    def reset(self):
        self.at = 0
        return np.random.randn(3)

    def step(self, action):
        self.at += 1
        return np.random.randn(3), float(action.sum()), self.at == 16, {}

    def render(self, mode=None):
        return np.random.randint(0, 255, (64, 64, 3), dtype=np.uint8)

    seed = close = lambda self, *_: None


stand_in("gym", make=lambda _: Env(), logger=SimpleNamespace(set_level=lambda _: None))
stand_in("cv2", resize=lambda picture, *_, **__: picture, INTER_LINEAR=1)
stand_in("plotly", "plotly.graph_objs", "plotly.graph_objs.scatter")
stand_in("tqdm", tqdm=type("tqdm", (), {"__init__": lambda self, turns, **_: setattr(self, "turns", turns), "__iter__": lambda self: iter(self.turns), "close": lambda self: None}))
import utils

utils.write_video = lambda *_: None
few = "--max-episode-length 16 --experience-size 200 --episodes 4 --seed-episodes 2 --collect-interval 3 --batch-size 4 --chunk-size 6 --test-interval 2 --test-episodes 2 --candidates 20 --top-candidates 5 --optimisation-iters 3 --planning-horizon 4"
for more in ("", "--symbolic-env --overshooting-kl-beta 1 --overshooting-reward-scale 1 --global-kl-beta 0.1 --learning-rate-schedule 100 --id other"):
    sys.argv = ["main.py", *few.split(), *more.split()]
    runpy.run_path(str(FOLDER / "main.py"), run_name="__main__")
