"""NVIDIA/pix2pixHD at 14b3b3c7fff413086e3b58df52096f16b6891172"""

import fractions
import math
import runpy
import sys
from pathlib import Path

import numpy as np
from PIL import Image

fractions.gcd = math.gcd
stand_in("dominate", "dominate.tags")
__import__("scipy").misc = None
sys.modules["scipy.misc"] = __import__("types").ModuleType("scipy.misc")
for folder in ("train_label", "train_inst", "train_img"):
    Path("made", folder).mkdir(parents=True)
    for at in range(4):
        shape = (64, 64, 3) if folder == "train_img" else (64, 64)
        Image.fromarray(np.random.randint(0, 5, shape, dtype=np.uint8)).save(f"made/{folder}/{at}.png")
same = ["train.py", "--dataroot", "made", "--no_html", "--label_nc", "5", "--loadSize", "64", "--ngf", "8", "--ndf", "8"]
same += ["--n_downsample_global", "2", "--n_blocks_global", "2", "--num_D", "2", "--niter", "2", "--niter_decay", "1"]
same += ["--print_freq", "1", "--display_freq", "2", "--save_latest_freq", "2", "--no_vgg_loss", "--nThreads", "1"]
for name, more in (("plain", ["--pool_size", "4"]), ("feat", ["--instance_feat", "--n_downsample_E", "2"])):
    sys.argv = [*same, "--name", name, *more]
    runpy.run_path(str(FOLDER / "train.py"), run_name="__main__")
    step()
