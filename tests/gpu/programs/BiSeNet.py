"""CoinCheung/BiSeNet at 6b4b67a8e3eb0cc23b3d7a94843a7c3c11dedca8"""

import os
import runpy
import shutil
import sys
from pathlib import Path

import numpy as np
import torch
import torch.utils.model_zoo

HEIGHT, WIDTH, STEPS, TESTED, EDITS = 1024, 2048, 10, 4, ()
draw = np.random.RandomState(0)
photo, kinds = draw.randint(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8), draw.randint(0, 34, (HEIGHT, WIDTH), dtype=np.uint8)


def resize(pixels, size, interpolation=None):
    width, height = size
    return pixels[np.arange(height) * pixels.shape[0] // height][:, np.arange(width) * pixels.shape[1] // width]


stand_in("cv2", imread=lambda path, how=1: kinds if how == 0 else photo, resize=resize, INTER_NEAREST=0)
stand_in("torchvision")
stand_in("tabulate", tabulate=lambda *_, **__: "")
torch.utils.model_zoo.load_url = lambda *_, **__: {}
os.environ |= {"LOCAL_RANK": "0", "RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29512"}
shutil.copytree(FOLDER / "configs", "configs")
config = Path("configs/bisenetv2_city.py")
text = config.read_text()
for old, new in (("max_iter=150000", f"max_iter={STEPS}"), ("./datasets/cityscapes/train.txt", "train.txt"), ("./datasets/cityscapes/val.txt", "val.txt"), *EDITS):
    assert old in text, old
    text = text.replace(old, new)
config.write_text(text)
Path("train.txt").write_text("".join(f"{at}.png,{at}_labels.png\n" for at in range(64)))
Path("val.txt").write_text("".join(f"{at}.png,{at}_labels.png\n" for at in range(TESTED)))
sys.path.insert(0, str(FOLDER / "tools"))
from lib.data import cityscapes_cv2

cityscapes_cv2.labels_info[-1]["trainId"] = 255  # what NumPy 1 made of -1
sys.argv = ["train_amp.py", "--config", str(config)]
runpy.run_path(str(FOLDER / "tools/train_amp.py"), run_name="__main__")
