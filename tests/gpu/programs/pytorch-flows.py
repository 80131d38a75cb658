"""ikostrikov/pytorch-flows at bf12ed91b86867b38d74982f5e2d44c248604df9"""

import runpy
import sys
from types import SimpleNamespace

import numpy as np

stand_in("matplotlib", "matplotlib.pyplot", "sklearn", "pandas", "h5py")
stand_in("tensorboardX", SummaryWriter=lambda **_: Writer())


class Data:
    def __init__(self, width):
        self.n_dims = width
        for part, count in (("trn", 600), ("val", 200), ("tst", 200)):
            labels = np.eye(10, dtype=np.float32)[np.arange(count) % 10]
            setattr(self, part, SimpleNamespace(x=np.random.rand(count, width).astype(np.float32), y=labels))


stand_in("datasets", MOONS=lambda: Data(2), MNIST=lambda: Data(784), POWER=lambda: Data(6))
for flow, data, more in (("maf", "POWER", []), ("glow", "MOONS", []), ("realnvp", "MOONS", []), ("maf-split-glow", "POWER", []), ("maf", "MNIST", ["--cond"])):
    sys.argv = ["main.py", "--flow", flow, "--dataset", data, "--epochs", "2", "--num-blocks", "2", *more]
    sys.modules.pop("utils", None)
    runpy.run_path(str(FOLDER / "main.py"), run_name="__main__")
