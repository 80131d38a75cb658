"""taesungp/contrastive-unpaired-translation at b3ac297708dfb6f7589d04662277e53c0d579c27"""

import runpy
import sys
from pathlib import Path

import numpy as np
from PIL import Image

stand_in("dominate", "dominate.tags", "visdom", "packaging", "GPUtil")
for folder in ("trainA", "trainB"):
    Path("made", folder).mkdir(parents=True)
    for at in range(4):
        Image.fromarray(np.random.randint(0, 255, (64, 64, 3), dtype=np.uint8)).save(f"made/{folder}/{at}.png")
same = ["train.py", "--dataroot", "made", "--display_id", "0", "--no_html", "--load_size", "72", "--crop_size", "64"]
same += ["--ngf", "8", "--ndf", "8", "--n_epochs", "1", "--n_epochs_decay", "1", "--print_freq", "1", "--num_threads", "1"]
same += ["--display_freq", "2", "--save_latest_freq", "2", "--netG", "resnet_6blocks"]
for model, more in (("cut", ["--CUT_mode", "CUT", "--num_patches", "16"]), ("cut", ["--CUT_mode", "FastCUT"])):
    sys.argv = [*same, "--model", model, "--name", model + "".join(more[1:2]), *more]
    if DEVICE == "cpu":
        sys.argv += ["--gpu_ids", "-1"]
    runpy.run_path(str(FOLDER / "train.py"), run_name="__main__")
    step()
