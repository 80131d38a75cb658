"""agrimgupta92/sgan at 691231e1adb6a344c7bcea9ebf2534518b226ead"""

import functools
import runpy
import sys
from pathlib import Path

import numpy as np
import torch

torch.load = functools.partial(torch.load, weights_only=False)


class Names(dict):
    """A dictionary with its keys as attributes."""

    __getattr__ = dict.__getitem__


stand_in("attrdict", AttrDict=Names)
import sgan.data.loader
import sgan.utils

sgan.utils.get_dset_path = lambda name, part: str(Path(name, part).resolve())
collate = sgan.data.loader.seq_collate
sgan.data.loader.seq_collate = lambda data: tuple(part.contiguous() for part in collate(data))
for part in ("train", "val", "test"):
    Path("some", part).mkdir(parents=True)
    rows = []
    for who in range(10):
        place, pace = np.random.rand(2) * 8, np.random.randn(2) * 0.3
        for frame in range(who, who + 24):
            place = place + pace + np.random.randn(2) * 0.05
            rows.append((frame * 10, who, *place))
    Path("some", part, "some.txt").write_text("\n".join(" ".join(f"{value:.3f}" for value in row) for row in sorted(rows)), encoding="utf-8")
shared = ["--dataset_name", "some", "--delim", "space", "--loader_num_workers", "0", "--batch_size", "4", "--num_epochs", "4", "--mlp_dim", "16", "--embedding_dim", "8", "--encoder_h_dim_g", "8"]
shared += ["--decoder_h_dim_g", "16", "--encoder_h_dim_d", "8", "--bottleneck_dim", "8", "--print_every", "2", "--checkpoint_every", "3", "--use_gpu", "1" if DEVICE == "cuda" else "0", "--skip", "1"]
for at, flags in enumerate(
    (
        ["--noise_dim", "4", "--noise_mix_type", "global", "--l2_loss_weight", "1", "--best_k", "3", "--timing", "1", "--clipping_threshold_g", "1.5", "--clipping_threshold_d", "1.5"],
        ["--pooling_type", "spool", "--grid_size", "2", "--noise_dim", "4", "--noise_type", "uniform", "--d_type", "global", "--batch_norm", "1"],
        ["--pooling_type", "none", "--pool_every_timestep", "0"],
    )
):
    sys.argv = ["train.py", *shared, *flags, "--checkpoint_name", f"some{at}"]
    try:
        runpy.run_path(str(FOLDER / "scripts" / "train.py"), run_name="__main__")
    except Exception as no:
        print(flags, type(no).__name__, str(no)[:200])
sys.argv = ["evaluate_model.py", "--model_path", "some0_with_model.pt", "--num_samples", "3"]
runpy.run_path(str(FOLDER / "scripts" / "evaluate_model.py"), run_name="__main__")
