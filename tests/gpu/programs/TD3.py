"""sfujim/TD3 at 34770ccdcb51df6f6c7d85c1ba7e40d71b940d16"""

import importlib

import numpy as np
import utils

memory = utils.ReplayBuffer(17, 6, max_size=2000)
for _ in range(1000):
    memory.add(np.random.randn(17), np.random.randn(6), np.random.randn(17), np.random.randn(), 0)
for name, given in (("TD3", {}), ("DDPG", {}), ("OurDDPG", {})):
    policy = getattr(importlib.import_module(name), "TD3" if name == "TD3" else "DDPG")(17, 6, 1.0, **given)
    for _ in range(6):
        policy.select_action(np.random.randn(17))
        policy.train(memory, 256)
