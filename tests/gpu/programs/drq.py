"""denisyarats/drq at dd040f144ed8f696c7db35087cd80c87372edb64"""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch


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

    observation_space, action_space, _max_episode_steps = Box(0, 255, (3, 84, 84), np.uint8), Box(-1, 1, (2,)), 6

    def seed(self, _):
        pass

    def _look(self):
        return np.random.randint(0, 255, (3, 84, 84)).astype(np.uint8)

    def reset(self):
        self.at = 0
        return self._look()

    def step(self, _):
        self.at += 1
        return self._look(), 1.0, self.at == 6, {}


def crop(size):
    """As of kornia's RandomCrop, which is not part of it: the same place for all."""
    return lambda x: x[..., 2 : 2 + size[0], 2 : 2 + size[1]]


class Crop(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.crop = crop(size)

    def forward(self, x):
        return self.crop(x)


def instantiate(cfg):
    import drq

    return getattr(drq, cfg["class"].split(".")[1])(**cfg["params"])


class Params(dict):
    __getattr__, __setattr__ = dict.__getitem__, dict.__setitem__


stand_in("gym", Wrapper=Wrapper, spaces=SimpleNamespace(Box=Box))
stand_in("dmc2gym", make=lambda **_: Env())
stand_in("hydra", main=lambda **_: lambda call: call, utils=SimpleNamespace(instantiate=instantiate))
stand_in("kornia", augmentation=SimpleNamespace(RandomCrop=Crop))
stand_in("skimage", "skimage.util", "skimage.util.shape", "imageio")
stand_in("termcolor", colored=lambda text, _: text)
import train

encoder = {"class": "drq.Encoder", "params": {"obs_shape": (9, 84, 84), "feature_dim": 50}}
sizes = {"action_shape": (2,), "hidden_dim": 64, "hidden_depth": 2}
agent = Params(
    device=torch.device(DEVICE),
    encoder_cfg=encoder,
    critic_cfg={"class": "drq.Critic", "params": {"encoder_cfg": encoder, **sizes}},
    actor_cfg={"class": "drq.Actor", "params": {"encoder_cfg": encoder, **sizes, "log_std_bounds": [-10, 2]}},
    discount=0.99,
    init_temperature=0.1,
    lr=1e-3,
    actor_update_frequency=2,
    critic_tau=0.01,
    critic_target_update_frequency=2,
    batch_size=8,
)
cfg = Params(
    env="cartpole_swingup",
    seed=1,
    image_size=84,
    action_repeat=4,
    frame_stack=3,
    log_save_tb=True,
    log_frequency_step=4,
    device=DEVICE,
    replay_buffer_capacity=100,
    image_pad=4,
    save_video=False,
    num_eval_episodes=2,
    eval_frequency=6,
    num_train_steps=18,
    num_seed_steps=6,
    num_train_iters=1,
    agent=Params({"class": "drq.DRQAgent", "name": "drq", "params": agent}),
)
train.Workspace(cfg).run()
