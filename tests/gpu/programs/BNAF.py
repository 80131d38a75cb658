"""nicola-decao/BNAF at da43f564aa335a5a32922118316c70bb5c3d861c"""

import runpy
import sys
from types import SimpleNamespace

import numpy as np
import torch

__import__("os").mkdir("checkpoint")

stand_in("matplotlib", "matplotlib.pyplot", "pandas", "h5py")
stand_in("tensorboardX", SummaryWriter=Writer)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau


class Plateau(plateau):
    """As it was when it took `verbose`."""

    def __init__(self, *given, verbose=None, **named):
        self.verbose = verbose
        super().__init__(*given, **named)
        self.is_better, self._reset, self._init_is_better = self._is_better, lambda: None, lambda *_, **__: None


torch.optim.lr_scheduler.ReduceLROnPlateau = Plateau
for experiment, data in (("density2d", "8gaussians"), ("energy2d", "t1")):
    options = ["--experiment", experiment, "--dataset", data, "--steps", "6", "--flows", "2", "--hidden_dim", "8"]
    sys.argv = ["toy2d.py", "--device", DEVICE, *options]
    path = FOLDER / "toy2d.py"
    text = path.read_text(encoding="utf-8").replace("resolution=(10000, 10000)", "resolution=(100, 4)").replace("step=0.01)", "step=0.10)")
    exec(compile(text, str(path), "exec"), {"__name__": "__main__"})


class Data:
    def __init__(self, *_):
        self.n_dims = 6
        for part in ("trn", "val", "tst"):
            setattr(self, part, SimpleNamespace(x=np.random.rand(120, 6).astype(np.float32)))


for each in ("gas", "bsds300", "hepmass", "miniboone", "power"):
    stand_in(f"data.{each}", **{each.upper(): Data})
sys.argv = ["density_estimation.py", "--device", DEVICE, "--dataset", "power", "--epochs", "3", "--batch_dim", "40", "--hidden_dim", "4", "--save"]
runpy.run_path(str(FOLDER / "density_estimation.py"), run_name="__main__")
