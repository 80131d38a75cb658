"""facebookresearch/adaptive-span at 27b815fee821acce2c2d4104cc0720cb1dc74c37"""

import functools
import random
import runpy
import sys
from pathlib import Path

import torch

torch.load = functools.partial(torch.load, weights_only=False)
Path("some").mkdir()
for part, many in (("train", 900), ("valid", 300), ("test", 300)):
    Path(f"some/{part}.txt").write_text("\n".join(" ".join(f"w{random.randint(0, 40)}" for _ in range(9)) for _ in range(many)), encoding="utf-8")
small = ["--data", "some", "--hid-sz", "32", "--inner-hid-sz", "64", "--nlayers", "2", "--block-sz", "16", "--attn-span", "32", "--batch-sz", "8", "--nbatches", "4", "--niter", "3"]
for flags in (
    ["--adapt-span", "--adapt-span-loss", "0.001", "--adapt-span-cache", "--optim", "adagrad", "--grad-clip", "0.3", "--lr-warmup", "4", "--checkpoint", "some/kept.pt"],
    ["--adapt-span", "--adapt-span-loss", "0.001", "--adapt-span-cache", "--optim", "adagrad", "--grad-clip", "0.3", "--lr-warmup", "4", "--checkpoint", "some/kept.pt", "--full-eval-mode"],
    ["--adapt-io", "--adapt-io-tied", "--pers-mem-size", "4", "--optim", "adam", "--data-unit", "ppl", "--batch-split", "2"],
    ["--optim", "sgd", "--grad-clip", "0.5"],
):
    sys.argv = ["main.py", *small, *flags]
    try:
        runpy.run_path(str(FOLDER / "main.py"), run_name="__main__")
    except Exception as no:
        print(flags, type(no).__name__, str(no)[:200])
