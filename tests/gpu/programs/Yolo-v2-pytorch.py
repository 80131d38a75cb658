"""uvipen/Yolo-v2-pytorch at 94c02ab06eddd7e31683c2dc957acbea123c1800; findings about other things had been read before"""

import functools
import os
import pickle
import runpy
import sys
from pathlib import Path

import numpy as np
import torch

PICTURES, PICTURE, SIZE, BATCH, EPOCHS, TESTED = 40, (375, 500), 448, 10, 3, 8
KINDS = "aeroplane", "bicycle", "bird", "boat", "bottle", "bus", "car", "cat", "chair", "cow"


def resize(pixels, size):
    width, height = size
    return pixels[np.arange(height) * pixels.shape[0] // height][:, np.arange(width) * pixels.shape[1] // width]


pixels = np.random.RandomState(0).randint(0, 256, (*PICTURE, 3), dtype=np.uint8)
stand_in(
    "cv2",
    imread=lambda _: pixels.copy(),
    imwrite=lambda *_: None,
    cvtColor=lambda picture, _: picture,
    flip=lambda picture, _: picture[:, ::-1].copy(),
    resize=resize,
    rectangle=lambda *_: None,
    putText=lambda *_: None,
    getTextSize=lambda *_: ((9, 9), 3),
    COLOR_BGR2RGB=0,
    COLOR_RGB2HSV=1,
    COLOR_HSV2RGB=2,
    FONT_HERSHEY_PLAIN=0,
)
stand_in("tensorboardX", SummaryWriter=Writer)
torch.load = functools.partial(torch.load, weights_only=False)
draw = np.random.RandomState(0)
for folder in ("data/VOC2012/Annotations", "data/VOC2012/ImageSets/Main", "trained_models", "src"):
    os.makedirs(folder)
Path("src/pallete").write_bytes(pickle.dumps([(0, 0, 0)] * 20))
for split, many in (("train", PICTURES), ("val", TESTED)):
    Path(f"data/VOC2012/ImageSets/Main/{split}.txt").write_text("".join(f"{split}{at}\n" for at in range(many)))
    for at in range(many):
        text = "<annotation>"
        for _ in range(draw.randint(1, 6)):
            x, y, w, h = (draw.uniform(0.02, 0.5, 4) * (PICTURE[1], PICTURE[0], PICTURE[1], PICTURE[0])).astype(int)
            text += f"<object><name>{draw.choice(KINDS)}</name><bndbox><xmin>{x + 1}</xmin><ymin>{y + 1}</ymin><xmax>{x + w + 9}</xmax><ymax>{y + h + 9}</ymax></bndbox></object>"
        Path(f"data/VOC2012/Annotations/{split}{at}.xml").write_text(text + "</annotation>")
from src import voc_dataset
from src.yolo_net import Yolo

given = voc_dataset.VOCDataset.__getitem__


def doubled(self, at):
    picture, boxes = given(self, at)
    return picture, boxes.astype(float)


voc_dataset.VOCDataset.__getitem__ = doubled  # numpy made doubles of them in sums with whole numbers then

torch.save(Yolo(20).state_dict(), "made.pt")
sys.argv = ["train_voc.py", "--data_path", "data", "--num_epoches", str(EPOCHS), "--batch_size", str(BATCH), "--image_size", str(SIZE)]
sys.argv += ["--pre_trained_model_type", "params", "--pre_trained_model_path", "made.pt"]
runpy.run_path(str(FOLDER / "train_voc.py"), run_name="__main__")
# where two boxes overlap, it subtracts truth values, which torch refuses: none does by so much
sys.argv = ["test_voc_dataset.py", "--data_path", "data", "--image_size", str(SIZE), "--conf_threshold", "0.03", "--nms_threshold", "1.0"]
post_processing = sys.modules["src.utils"].post_processing


def stepped(*given):
    step()
    return post_processing(*given)


sys.modules["src.utils"].post_processing = stepped
runpy.run_path(str(FOLDER / "test_voc_dataset.py"), run_name="__main__")
