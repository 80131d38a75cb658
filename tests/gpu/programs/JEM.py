"""wgrathwohl/JEM at 3d01161547109b464eee87304f07b2dac8519d03"""

import functools
import os
import runpy
import sys

import torch
import torchvision

torch.load = functools.partial(torch.load, weights_only=False)
made = torchvision.datasets.FakeData
torchvision.datasets.CIFAR10 = torchvision.datasets.CIFAR100 = lambda root, transform, download, train: made(48 if train else 16, (3, 32, 32), 10, transform)
torchvision.datasets.SVHN = lambda root, transform, download, split: made(16, (3, 32, 32), 10, transform)
stand_in("ipdb", "seaborn", "matplotlib", "matplotlib.pyplot")
small = ["--width", "1", "--depth", "10", "--norm", "batch"]
out = sys.stdout


def run(script, *flags):
    sys.argv = [script, *small, *flags]
    try:
        runpy.run_path(str(FOLDER / script), run_name="__main__")
    except Exception as no:
        print(flags, type(no).__name__, str(no)[:200], file=out)
    finally:
        sys.stdout = out


shared = ["--batch_size", "8", "--n_valid", "8", "--n_steps", "3", "--buffer_size", "40", "--n_epochs", "2", "--print_every", "2", "--ckpt_every", "1", "--sigma", "0.03"]
run("train_wrn_ebm.py", *shared, "--save_dir", "one", "--plot_cond", "--plot_uncond")
run("train_wrn_ebm.py", *shared, "--save_dir", "two", "--p_x_y_weight", "1", "--class_cond_p_x_sample", "--optimizer", "sgd", "--warmup_iters", "3", "--decay_epochs", "1", "--labels_per_class", "-1")
for kind in ("OOD", "test_clf", "uncond_samples", "cond_samples", "logp_hist"):
    for score in ("px", "py", "pxgrad") if kind == "OOD" else ("px",):
        os.makedirs("eval", exist_ok=True)
        run("eval_wrn_ebm.py", "--eval", kind, "--score_fn", score, "--load_path", "one/last_ckpt.pt", "--save_dir", "eval", "--n_sample_steps", "3", "--n_steps", "2", "--batch_size", "8", "--buffer_size", "40", "--datasets", "cifar10", "svhn")
