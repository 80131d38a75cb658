"""jxhe/vae-lagging-encoder at cdc4eb9d9599a026bf277db74efc2ba1ec203b15"""

import functools
import random
import runpy
import sys
from pathlib import Path

import numpy as np
import torch

torch.load = functools.partial(torch.load, weights_only=False)
np.random.random_integers = lambda low, high: np.random.randint(low, high + 1)  # numpy 2 lacks it
Path("some").mkdir()
for part, many in (("train", 192), ("test", 24)):
    Path(f"some/{part}.txt").write_text("\n".join(" ".join(f"word{random.randint(0, 50)}" for _ in range(random.randint(5, 7))) for _ in range(many)), encoding="utf-8")
import config.config_synthetic

config.config_synthetic.params |= {"train_data": "some/train.txt", "val_data": "some/test.txt", "test_data": "some/test.txt", "epochs": 2, "nz": 4, "ni": 16, "enc_nh": 16, "dec_nh": 16}
out = sys.stdout


def run(*flags):
    sys.argv = ["text.py", "--dataset", "synthetic", "--iw_nsamples", "20", *flags]
    try:
        runpy.run_path(str(FOLDER / "text.py"), run_name="__main__")
    except Exception as no:
        print(flags, type(no).__name__, str(no)[:200], file=out)
    finally:
        sys.stdout = out


run("--aggressive", "1", "--kl_start", "0.1")
run("--kl_start", "0.5", "--nsamples", "2", "--momentum", "0.9", "--taskid", "1")
saved = str(sorted(Path("models/synthetic").glob("*.pt"))[0])
run("--eval", "--load_path", saved)
for how in ("greedy", "sample", "beam"):
    run("--decode_from", saved, "--decoding_strategy", how)
    run("--decode_from", saved, "--decoding_strategy", how, "--decode_input", "some/test.txt")
