"""yuezhihan/ts2vec at b0088e14a99706c05451316dc6db8d3da9351163"""

import runpy
import sys
from pathlib import Path

import numpy as np

stand_in("pandas")
stand_in("bottleneck", __version__="1.6.0", move_mean=lambda x, *_: np.convolve(x, np.ones(21) / 21)[: len(x)], move_std=lambda x, *_: np.full(len(x), x.std()))
import datautils

Path("datasets").mkdir()
np.save("datasets/some.npy", np.random.randn(600, 3))
lines = [np.random.randn(40, 60, 2).astype(np.float64), np.arange(40) % 3, np.random.randn(20, 60, 2), np.arange(20) % 3]
lines[0][:, 50:] = np.nan
datautils.load_UCR = datautils.load_UEA = lambda _: tuple(lines)
names = [f"line{at}" for at in range(3)]
series = [{name: make() for name in names} for make in (lambda: np.random.randn(80), lambda: (np.random.rand(80) > 0.95).astype(int), lambda: np.arange(80)) * 2]
datautils.load_anomaly = lambda _: (*series, 3)
for loader, more in (
    ("UEA", ["--epochs", "2", "--save-every", "1", "--eval"]), ("forecast_npy", ["--iters", "4", "--max-train-length", "100", "--eval"]),
    ("forecast_npy_univar", ["--iters", "3", "--save-every", "2"]), ("anomaly", ["--iters", "4", "--eval"]), ("anomaly_coldstart", ["--iters", "3", "--eval"]),
):
    sys.argv = ["train.py", "some", "run", "--loader", loader, "--repr-dims", "16", "--batch-size", "6", "--seed", "1", *more]
    try:
        runpy.run_path(str(FOLDER / "train.py"), run_name="__main__")
    except Exception as no:
        print(loader, type(no).__name__, str(no)[:200])
