"""ikostrikov/pytorch-a2c-ppo-acktr-gail at 41332b78dfb50321c29bade65f9d244387f68a60"""

import numpy as np
import torch


class RunningMeanStd:
    def __init__(self, shape=()):
        self.mean, self.var = np.zeros(1), np.ones(1)

    def update(self, values):
        self.mean = values.mean(0)


stand_in("h5py")
stand_in("a2c_ppo_acktr.envs", VecNormalize=object)
stand_in("stable_baselines3.common.running_mean_std", RunningMeanStd=RunningMeanStd)
stand_in("stable_baselines3.common", running_mean_std=None)
stand_in("stable_baselines3", common=None)
from a2c_ppo_acktr import algo
from a2c_ppo_acktr.algo import gail
from a2c_ppo_acktr.model import Policy
from a2c_ppo_acktr.storage import RolloutStorage


class Discrete:
    n, shape = 6, (1,)


class Box:
    shape = (6,)


def run(space, agent, recurrent=False, acktr=False, imitate=False):
    policy = Policy((12,), space, base_kwargs={"recurrent": recurrent})
    policy.to(DEVICE)
    rollouts = RolloutStorage(8, 4, (12,), space, policy.recurrent_hidden_state_size)
    rollouts.to(DEVICE)
    learner = agent(policy)
    judge = gail.Discriminator(18, 100, torch.device(DEVICE)) if imitate else None
    for _ in range(3):
        for turn in range(8):
            with torch.no_grad():
                value, action, log_prob, hidden = policy.act(
                    rollouts.obs[turn], rollouts.recurrent_hidden_states[turn], rollouts.masks[turn]
                )
            ones = torch.ones(4, 1)
            rollouts.insert(torch.randn(4, 12), hidden, action, log_prob, value, torch.randn(4, 1), ones, ones)
        with torch.no_grad():
            last = policy.get_value(rollouts.obs[-1], rollouts.recurrent_hidden_states[-1], rollouts.masks[-1])
        if judge is not None:
            experts = [(torch.randn(16, 12), torch.randn(16, 6)) for _ in range(2)]
            loader = torch.utils.data.DataLoader([(a[0], b[0]) for a, b in experts] * 16, 16)
            judge.update(loader, rollouts, lambda state, update: state)
            for turn in range(8):
                rollouts.rewards[turn] = judge.predict_reward(
                    rollouts.obs[turn], rollouts.actions[turn], 0.99, rollouts.masks[turn]
                )
        rollouts.compute_returns(last, True, 0.99, 0.95)
        learner.update(rollouts)
        rollouts.after_update()
        step()


def ppo(policy):
    return algo.PPO(policy, 0.2, 2, 2, 0.5, 0.01, lr=1e-3, eps=1e-5, max_grad_norm=0.5)


run(Discrete(), ppo)
run(Discrete(), ppo, recurrent=True)
run(Box(), ppo, imitate=True)
run(Box(), lambda policy: algo.A2C_ACKTR(policy, 0.5, 0.01, lr=1e-3, eps=1e-5, alpha=0.99, max_grad_norm=0.5))
