"""young-geng/CQL at 21efac46faadef7d24ecf03a8091ab9cc3a613fd"""

from copy import deepcopy

import numpy as np


class ConfigDict(dict):
    """What the program takes of ml_collections'."""

    __getattr__, __setattr__ = dict.__getitem__, dict.__setitem__

    def copy_and_resolve_references(self):
        return self


stand_in("ml_collections", ConfigDict=ConfigDict)
stand_in("ml_collections.config_flags", config_flags=None)
stand_in("ml_collections.config_dict", config_dict=None)
stand_in("absl", "absl.flags", "absl.app", "wandb", "gym", "d4rl")
from SimpleSAC.conservative_sac import ConservativeSAC
from SimpleSAC.model import FullyConnectedQFunction, SamplerPolicy, TanhGaussianPolicy
from SimpleSAC.replay_buffer import batch_to_torch, subsample_batch
from SimpleSAC.sac import SAC
from SimpleSAC.sampler import TrajSampler

RUNS, STEPS = ((ConservativeSAC, {}), (ConservativeSAC, {"cql_lagrange": True, "cql_max_target_backup": True, "backup_entropy": True}), (SAC, {})), 12
draw = np.random.RandomState(0)
dataset = {"observations": draw.randn(20000, 17), "actions": draw.uniform(-0.99, 0.99, (20000, 6)), "next_observations": draw.randn(20000, 17), "rewards": draw.randn(20000), "dones": draw.rand(20000) < 0.01}
dataset = {key: value.astype(np.float32) for key, value in dataset.items()}


class Field:
    """A made-up task."""

    def reset(self):
        return draw.randn(17)

    def step(self, action):
        return draw.randn(17), 0.5, False, {}


for made, more in RUNS:
    policy = TanhGaussianPolicy(17, 6)
    first, second = FullyConnectedQFunction(17, 6), FullyConnectedQFunction(17, 6)
    config = made.get_default_config()
    config.update(more, target_entropy=-6.0)
    agent = made(config, policy, first, second, deepcopy(first), deepcopy(second))
    agent.torch_to_device(DEVICE)
    for at in range(STEPS):
        agent.train(batch_to_torch(subsample_batch(dataset, 256), DEVICE), **({"bc": at < 3} if made is ConservativeSAC else {}))
    TrajSampler(Field(), 6).sample(SamplerPolicy(policy, DEVICE), 2, deterministic=True)
    step()
