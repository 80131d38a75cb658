"""Kaixhin/Rainbow at 1745b184c3dfc03d4ffa3ce2342ced9996b39a60"""

from types import SimpleNamespace

import torch
from agent import Agent
from memory import ReplayMemory

args = SimpleNamespace(
    atoms=51,
    V_min=-10,
    V_max=10,
    device=torch.device(DEVICE),
    batch_size=16,
    multi_step=3,
    discount=0.99,
    norm_clip=10,
    model=None,
    learning_rate=1e-4,
    adam_eps=1e-4,
    history_length=4,
    priority_weight=0.4,
    priority_exponent=0.5,
    hidden_size=128,
    noisy_std=0.1,
    architecture="canonical",
)
agent = Agent(args, SimpleNamespace(action_space=lambda: 6))
memory = ReplayMemory(args, 400)
state = torch.rand(4, 84, 84, device=args.device)
for turn in range(200):
    memory.append(state, turn % 6, 0.5, turn % 50 == 49)
for turn in range(5):
    agent.reset_noise()
    action = agent.act_e_greedy(state, 0.0)
    memory.append(state, action, 1.0, False)
    agent.learn(memory)
    agent.update_target_net()
    agent.evaluate_q(state)
