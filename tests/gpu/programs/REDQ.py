"""watchernyu/REDQ at 7b5d1bff39291a57325a2836bd397a55728960bb; findings about other things had been read before"""

import runpy
from types import SimpleNamespace

import numpy as np

EPISODE, EPOCH, EPOCHS, UPDATES, CRITICS, EVALUATED = 10, 20, 2, 4, 10, 20


class Space:
    shape, high = (3,), np.ones(3)
    np_random = SimpleNamespace(seed=lambda _: None)

    def sample(self):
        return np.random.uniform(-1, 1, 3)


class Env:
    """Noise, in episodes of so many steps."""

    observation_space, action_space, _max_episode_steps = SimpleNamespace(shape=(11,)), Space(), EPISODE

    def __init__(self, _):
        pass

    def seed(self, _):
        pass

    def reset(self):
        return np.random.randn(11)

    def step(self, _):
        return np.random.randn(11), float(np.random.rand()), False, {}


stand_in("gym", make=Env)
stand_in("joblib")
train = runpy.run_path(str(FOLDER / "experiments" / "train_redq_sac.py"))["redq_sac"]
for mode, evaluate, automatic in (("min", True, True), ("ave", True, False), ("rem", False, True)):
    train(
        "Hopper-v2",
        epochs=EPOCHS,
        steps_per_epoch=EPOCH,
        max_ep_len=EPISODE,
        start_steps=EPOCH,
        replay_size=1000,
        utd_ratio=UPDATES,
        num_Q=CRITICS,
        q_target_mode=mode,
        policy_update_delay=UPDATES,
        auto_alpha=automatic,
        evaluate_bias=evaluate,
        n_mc_eval=EVALUATED,
        logger_kwargs={"output_dir": f"logs-{mode}", "exp_name": mode},
    )
