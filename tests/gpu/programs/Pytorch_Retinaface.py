"""biubug6/Pytorch_Retinaface at b984b4b775b2c4dced95c1eadd195a5c7d32a60b"""

import runpy
import sys
from pathlib import Path

import cv2
import numpy as np
from data import config

rows = []
Path("train/images").mkdir(parents=True)
Path("curve").mkdir()
for at in range(16):
    cv2.imwrite(f"train/images/{at}.jpg", np.random.randint(0, 255, (200, 200, 3)).astype(np.uint8))
    rows.append(f"# {at}.jpg")
    for left, top in ((20, 30), (90, 100))[: 1 + at % 2]:
        marks = " ".join(f"{left + 10 * mark} {top + 8 * mark} 0.0" for mark in range(5))
        rows.append(f"{left} {top} 70 80 {marks} 0.8")
Path("train/label.txt").write_text("\n".join(rows), encoding="utf-8")
cv2.imwrite("curve/test.jpg", np.random.randint(0, 255, (160, 160, 3)).astype(np.uint8))
config.cfg_mnet |= {"pretrain": False, "batch_size": 4, "epoch": 2, "image_size": 160}
sys.argv = ["train.py", "--training_dataset", "train/label.txt", "--num_workers", "0"]
runpy.run_path(str(FOLDER / "train.py"), run_name="__main__")
path = FOLDER / "detect.py"
text = path.read_text(encoding="utf-8").replace("range(100)", "range(4)")
sys.argv = ["detect.py", "-m", "weights/mobilenet0.25_Final.pth", "--network", "mobile0.25"]
exec(compile(text.replace("net(img)  # forward pass", "(step(), net(img))[1]  # forward pass"), str(path), "exec"), {"__name__": "__main__", "step": step})
