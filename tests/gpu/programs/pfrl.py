"""pfrl 0.4.0"""

import logging

import gym
import numpy as np
import torch
from torch import nn

import pfrl
from pfrl import agents, explorers, experiments, replay_buffers
from pfrl.policies import GaussianHeadWithDiagonalCovariance, GaussianHeadWithStateIndependentCovariance, SoftmaxCategoricalHead
from pfrl.q_functions import DiscreteActionValueHead, DistributionalFCStateQFunctionWithDiscreteAction, FCQuadraticStateQFunction

logging.basicConfig(level=logging.WARNING)
gpu = 0 if DEVICE == "cuda" else None
size, actions = 6, 3


class Field(gym.Env):
    """A made-up task."""

    observation_space = gym.spaces.Box(-10, 10, (size,), np.float32)

    def __init__(self, discrete):
        self.action_space = gym.spaces.Discrete(actions) if discrete else gym.spaces.Box(-1, 1, (actions,), np.float32)
        self.at = 0

    def reset(self):
        self.at = 0
        return np.random.randn(size).astype(np.float32)

    def step(self, action):
        self.at += 1
        return np.random.randn(size).astype(np.float32), float(np.random.rand()), self.at % 12 == 0, {}


def tried(name, what):
    try:
        what()
    except Exception as no:
        print(name, type(no).__name__, str(no)[:180])


def adam(*nets):
    return torch.optim.Adam([parameter for net in nets for parameter in net.parameters()], lr=1e-3)


def body(into, out):
    return nn.Sequential(nn.Linear(into, 16), nn.ReLU(), nn.Linear(16, out))


def q_of_both():
    return nn.Sequential(pfrl.nn.ConcatObsAndAction(), body(size + actions, 1))


def run(agent, discrete, steps=60):
    env = Field(discrete)
    experiments.train_agent_with_evaluation(agent, env, steps=steps, eval_n_steps=None, eval_n_episodes=2, eval_interval=30, outdir=".", train_max_episode_len=12, eval_max_episode_len=12, eval_env=Field(discrete), save_best_so_far_agent=False)


def run_batch(agent, discrete, steps=80):
    envs = pfrl.envs.SerialVectorEnv([Field(discrete) for _ in range(2)])
    experiments.train_agent_batch_with_evaluation(agent, envs, steps=steps, eval_n_steps=None, eval_n_episodes=2, eval_interval=40, outdir=".", max_episode_len=12, eval_env=pfrl.envs.SerialVectorEnv([Field(discrete) for _ in range(2)]), save_best_so_far_agent=False)


some = lambda: np.random.randint(actions)
greedy = lambda: explorers.LinearDecayEpsilonGreedy(1.0, 0.1, 40, some)
off = {"replay_start_size": 16, "minibatch_size": 8, "gpu": gpu}
for name, made, buffer in (("DQN", agents.DQN, replay_buffers.ReplayBuffer(200)), ("DoubleDQN", agents.DoubleDQN, replay_buffers.PrioritizedReplayBuffer(200, betasteps=50)), ("AL", agents.AL, replay_buffers.ReplayBuffer(200)), ("PAL", agents.PAL, replay_buffers.ReplayBuffer(200)), ("DoublePAL", agents.DoublePAL, replay_buffers.ReplayBuffer(200, num_steps=3)), ("DPP", agents.DPP, replay_buffers.ReplayBuffer(200))):

    def valued():
        net = nn.Sequential(body(size, actions), DiscreteActionValueHead())
        run(made(net, adam(net), buffer, 0.9, greedy(), target_update_interval=20, update_interval=2, **off), True)

    tried(name, valued)


def boltzmann():
    net = nn.Sequential(body(size, actions), DiscreteActionValueHead())
    run_batch(agents.DQN(net, adam(net), replay_buffers.ReplayBuffer(200), 0.9, explorers.Boltzmann(), target_update_interval=20, max_grad_norm=1.0, batch_accumulator="sum", **off), True)


def recurrent():
    net = pfrl.nn.RecurrentSequential(nn.Linear(size, 16), nn.LSTM(16, 16), nn.Linear(16, actions), DiscreteActionValueHead())
    run(agents.DQN(net, adam(net), replay_buffers.EpisodicReplayBuffer(200), 0.9, greedy(), target_update_interval=20, episodic_update_len=4, recurrent=True, **{**off, "replay_start_size": 24, "minibatch_size": 2}), True)


def continuous_q():
    net = FCQuadraticStateQFunction(size, actions, 16, 1, Field(False).action_space)
    run(agents.DQN(net, adam(net), replay_buffers.ReplayBuffer(200), 0.9, explorers.AdditiveOU(), target_update_interval=20, **off), False)


def noisy():
    net = nn.Sequential(body(size, actions), DiscreteActionValueHead())
    pfrl.nn.to_factorized_noisy(net, sigma_scale=0.5)
    run(agents.DoubleDQN(net, adam(net), replay_buffers.PrioritizedReplayBuffer(200), 0.9, explorers.Greedy(), target_update_interval=20, **off), True)


def categorical(made):
    net = DistributionalFCStateQFunctionWithDiscreteAction(size, actions, 11, -5, 5, 16, 1)
    run(made(net, adam(net), replay_buffers.ReplayBuffer(200), 0.9, greedy(), target_update_interval=20, **off), True)


def quantiles(made):
    net = agents.iqn.ImplicitQuantileQFunction(psi=nn.Sequential(nn.Linear(size, 16), nn.ReLU()), phi=nn.Sequential(agents.iqn.CosineBasisLinear(8, 16), nn.ReLU()), f=nn.Linear(16, actions))
    run(made(net, adam(net), replay_buffers.PrioritizedReplayBuffer(200), 0.9, greedy(), target_update_interval=20, quantile_thresholds_N=8, quantile_thresholds_N_prime=8, quantile_thresholds_K=4, **off), True)


for what in (boltzmann, recurrent, continuous_q, noisy):
    tried(what.__name__, what)
for made in (agents.CategoricalDQN, agents.CategoricalDoubleDQN):
    tried(made.__name__, lambda: categorical(made))
tried("IQN", lambda: quantiles(agents.IQN))


def gaussian():
    return nn.Sequential(body(size, actions), GaussianHeadWithStateIndependentCovariance(action_size=actions, var_type="diagonal", var_func=lambda x: torch.exp(2 * x), var_param_init=0))


def ppo(discrete, **named):
    policy = nn.Sequential(body(size, actions), SoftmaxCategoricalHead()) if discrete else gaussian()
    net = pfrl.nn.Branched(policy, body(size, 1))
    normal = pfrl.nn.EmpiricalNormalization(size, clip_threshold=5)
    (run_batch if named.pop("batch", False) else run)(agents.PPO(net, adam(net), obs_normalizer=normal, gpu=gpu, update_interval=32, minibatch_size=16, epochs=2, clip_eps_vf=0.2, max_grad_norm=0.5, **named), discrete, 100)


def ppo_recurrent():
    net = pfrl.nn.RecurrentSequential(nn.Linear(size, 16), nn.LSTM(16, 16), pfrl.nn.Branched(nn.Sequential(nn.Linear(16, actions), SoftmaxCategoricalHead()), nn.Linear(16, 1)))
    run(agents.PPO(net, adam(net), gpu=gpu, update_interval=32, minibatch_size=16, epochs=2, recurrent=True, max_recurrent_sequence_len=8), True, 80)


def trpo():
    policy, value = gaussian(), body(size, 1)
    run(agents.TRPO(policy, value, adam(value), obs_normalizer=pfrl.nn.EmpiricalNormalization(size), gpu=gpu, update_interval=32, vf_epochs=2, vf_batch_size=16, conjugate_gradient_max_iter=4), False, 80)


def a2c():
    net = pfrl.nn.Branched(nn.Sequential(body(size, actions), SoftmaxCategoricalHead()), body(size, 1))
    run_batch(agents.A2C(net, adam(net), 0.9, 2, gpu=gpu, use_gae=True, max_grad_norm=0.5), True)


def reinforce():
    net = nn.Sequential(body(size, actions), SoftmaxCategoricalHead())
    run(agents.REINFORCE(net, adam(net), gpu=gpu, beta=1e-3, batchsize=2, max_grad_norm=1.0), True)


def sac():
    policy = nn.Sequential(body(size, actions * 2), pfrl.nn.Lambda(lambda x: torch.distributions.transformed_distribution.TransformedDistribution(torch.distributions.Independent(torch.distributions.Normal(*map(lambda part, at: part if at == 0 else torch.exp(part.clamp(-5, 2)), torch.chunk(x, 2, dim=1), (0, 1))), 1), [torch.distributions.transforms.TanhTransform(cache_size=1)])))
    one, two = q_of_both(), q_of_both()
    run(agents.SoftActorCritic(policy, one, two, adam(policy), adam(one), adam(two), replay_buffers.ReplayBuffer(200), 0.9, entropy_target=-3, temperature_optimizer_lr=1e-3, burnin_action_func=lambda: np.random.uniform(-1, 1, actions).astype(np.float32), **off), False)


def td3():
    policy = nn.Sequential(body(size, actions), nn.Tanh(), pfrl.policies.DeterministicHead())
    one, two = q_of_both(), q_of_both()
    run_batch(agents.TD3(policy, one, two, adam(policy), adam(one), adam(two), replay_buffers.ReplayBuffer(200), 0.9, explorers.AdditiveGaussian(0.1, -1, 1), **off), False)


def ddpg():
    policy = nn.Sequential(body(size, actions), pfrl.nn.BoundByTanh(-1, 1), pfrl.policies.DeterministicHead())
    value = q_of_both()
    run(agents.DDPG(policy, value, adam(policy), adam(value), replay_buffers.ReplayBuffer(200), 0.9, explorers.AdditiveOU(), target_update_interval=1, target_update_method="soft", **off), False)


tried("PPO", lambda: ppo(True))
tried("PPO of numbers", lambda: ppo(False, batch=True))
for what in (ppo_recurrent, trpo, a2c, reinforce, sac, td3, ddpg):
    tried(what.__name__, what)
