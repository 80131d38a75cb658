"""ethanfetaya/NRI at e63fcb0144bca60eb1cffed9a94489de928d6c23, `.data[0]` written `.item()`, `np.float` written `float`"""

import os
import runpy
import sys

import numpy as np

os.mkdir("data")
os.mkdir("logs")
for suffix in ("_springs5", "_charged5"):
    for part, count, long in (("train", 48, 49), ("valid", 32, 49), ("test", 32, 99)):
        for what in ("loc", "vel"):
            np.save(f"data/{what}_{part}{suffix}.npy", np.random.randn(count, long, 2, 5))
        np.save(f"data/edges_{part}{suffix}.npy", np.random.randint(0, 2, (count, 5, 5)).astype(float))
few = ["--epochs", "2", "--batch-size", "16"]
for script, more in (
    ("train", ["--encoder-hidden", "16", "--decoder-hidden", "16", "--prediction-steps", "4"]),
    ("train", ["--encoder-hidden", "16", "--decoder-hidden", "16", "--encoder", "cnn", "--decoder", "rnn", "--prediction-steps", "4", "--skip-first", "--hard"]),
    ("train", ["--encoder-hidden", "16", "--decoder", "sim", "--suffix", "_springs5", "--no-factor"]),
    ("train_enc", ["--hidden", "16", "--suffix", "_springs5"]),
    ("train_dec", ["--hidden", "16", "--suffix", "_springs5"]),
    ("lstm_baseline", ["--hidden", "16", "--suffix", "_springs5", "--prediction-steps", "4"]),
):
    sys.argv = [script, *few, *more]
    runpy.run_path(str(FOLDER / f"{script}.py"), run_name="__main__")
