"""sgrvinod/a-PyTorch-Tutorial-to-Object-Detection at 5d5b75968c3cf1ffd2718bf828a7560b7ee8e8b5"""

import functools
import json
import runpy
from pathlib import Path

import numpy as np
import torch
import torchvision
from PIL import Image

torch.load = functools.partial(torch.load, weights_only=False)
vgg = torchvision.models.vgg16
torchvision.models.vgg16 = lambda pretrained: vgg(weights=None)
MANY = 32
for at in range(MANY):
    Image.fromarray(np.random.randint(0, 255, (120, 160, 3)).astype(np.uint8)).save(f"{at}.jpg")
found = [{"boxes": [[5, 5, 60, 60], [30, 40, 150, 110]], "labels": [1 + at % 20, 3], "difficulties": [0, 1]} for at in range(MANY)]
for part, many in (("TRAIN", MANY), ("TEST", 1)):
    Path(f"{part}_images.json").write_text(json.dumps([f"{at}.jpg" for at in range(many)]), encoding="utf-8")
    Path(f"{part}_objects.json").write_text(json.dumps(found[:many]), encoding="utf-8")
import train

train.iterations, train.decay_lr_at, train.print_freq, train.workers = 2, [1], 1, 0
train.grad_clip = 5.0
train.main()
runpy.run_path(str(FOLDER / "eval.py"), run_name="__main__")
detect = runpy.run_path(str(FOLDER / "detect.py"))["detect"]
for _ in range(3):
    try:
        detect(Image.open("0.jpg").convert("RGB"), min_score=0.2, max_overlap=0.5, top_k=20)
        detect(Image.open("1.jpg").convert("RGB"), min_score=0.06, max_overlap=0.5, top_k=20, suppress=["cat"])
    except Exception as no:
        print(type(no).__name__, str(no)[:200])
    step()
