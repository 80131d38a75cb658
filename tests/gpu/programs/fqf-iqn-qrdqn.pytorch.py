"""toshikwa/fqf-iqn-qrdqn.pytorch at 11d70bb428e449fe5384654c05e4ab2c3bbdd4cd"""

import runpy
import sys
from pathlib import Path

import numpy as np
import yaml


class Box:
    """Four frames."""

    shape = (4, 84, 84)


class Discrete:
    """Three actions."""

    n = 3

    def sample(self):
        return np.random.randint(self.n)


class Env:
    """Noise, in episodes of ten steps."""

    observation_space, action_space = Box(), Discrete()

    def seed(self, _):
        pass

    def reset(self):
        self.at = 0
        return np.random.randint(0, 255, Box.shape).astype(np.uint8)

    def step(self, _):
        self.at += 1
        return np.random.randint(0, 255, Box.shape).astype(np.uint8), float(np.random.randn()), self.at == 10, {}

    def close(self):
        pass


stand_in("gym", Wrapper=object, RewardWrapper=object, ObservationWrapper=object, spaces=None, wrappers=None)
stand_in("cv2")
import fqf_iqn_qrdqn.env

fqf_iqn_qrdqn.env.make_pytorch_env = lambda *_, **__: Env()
base = {"num_steps": 36, "batch_size": 8, "memory_size": 200, "start_steps": 16, "update_interval": 2, "target_update_interval": 20}
base |= {"num_eval_steps": 15, "log_interval": 2, "eval_interval": 30, "epsilon_decay_steps": 40}
for at, (script, more) in enumerate(
    (("fqf", {"ent_coef": 0.001}), ("fqf", {"dueling_net": True, "double_q_learning": True, "use_per": True}), ("iqn", {"noisy_net": True, "multi_step": 3}), ("iqn", {"use_per": True, "dueling_net": True}), ("qrdqn", {}), ("qrdqn", {"double_q_learning": True, "use_per": True}))
):
    Path(f"some{at}.yaml").write_text(yaml.safe_dump(base | more), encoding="utf-8")
    sys.argv = [f"train_{script}.py", "--config", f"some{at}.yaml", "--cuda"]
    runpy.run_path(str(FOLDER / f"train_{script}.py"), run_name="__main__")
