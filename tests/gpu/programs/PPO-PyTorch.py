"""nikhilbarhate99/PPO-PyTorch at 728cce83d7ab628fe2634eabcdf3239997eb81dd"""

import numpy as np
from PPO import PPO

for continuous in (True, False):
    agent = PPO(8, 3, 3e-4, 1e-3, 0.99, 5, 0.2, continuous, 0.6)
    for turn in range(3):
        for moment in range(20):
            agent.select_action(np.random.randn(8))
            agent.buffer.rewards.append(float(np.random.randn()))
            agent.buffer.is_terminals.append(moment % 10 == 9)
        agent.update()
    agent.save("kept.pth")
    agent.load("kept.pth")
    if continuous:
        agent.decay_action_std(0.05, 0.1)
