"""zhenghao977/FCOS-PyTorch-37.2AP at 2bfa4b6ca57358f52f7bc7b44f506608e99894e6"""

import os
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch

PICTURES, SIZE, BATCH, WORKERS, EPOCHS, TESTED, RESIZED = 48, (375, 500), 16, 4, 2, 3, [800, 1333]
KINDS = "aeroplane", "bicycle", "bird", "boat", "bottle", "bus", "car", "cat", "chair", "cow"


class Picture:
    """What the program asks of PIL's."""

    def __init__(self, pixels):
        self.pixels, self.size = pixels, (pixels.shape[1], pixels.shape[0])
        self.width, self.height = self.size

    def __array__(self, *_, **__):
        return self.pixels

    def transpose(self, _):
        return Picture(self.pixels[:, ::-1].copy())

    def rotate(self, _):
        return self

    def crop(self, box):
        left, top, right, bottom = box
        return Picture(self.pixels[top:bottom, left:right].copy())


def resize(pixels, size):
    width, height = size
    return pixels[np.arange(height) * pixels.shape[0] // height][:, np.arange(width) * pixels.shape[1] // width]


def normalize(mean, std, inplace=False):
    mean, std = torch.tensor(mean)[:, None, None], torch.tensor(std)[:, None, None]
    return lambda picture: picture.sub_(mean).div_(std)


pixels = np.random.RandomState(0).randint(0, 256, (*SIZE, 3), dtype=np.uint8)
transforms = {"ToTensor": lambda: lambda picture: torch.from_numpy(picture.transpose(2, 0, 1).copy()) / 255, "Normalize": normalize, "ColorJitter": lambda **_: lambda picture: picture}
stand_in("PIL", Image=SimpleNamespace(open=lambda _: Picture(pixels), FLIP_LEFT_RIGHT=0, BILINEAR=2))
stand_in("cv2", resize=resize)
stand_in("torchvision", transforms=SimpleNamespace(**transforms))
stand_in("torchvision.transforms", **transforms)
draw = np.random.RandomState(0)
for folder in ("Annotations", "ImageSets/Main", "checkpoint"):
    os.makedirs(folder)
for split, many in (("trainval", PICTURES), ("test", TESTED)):
    Path(f"ImageSets/Main/{split}.txt").write_text("".join(f"{split}{at}\n" for at in range(many)))
    for at in range(many):
        text = "<annotation>"
        for _ in range(draw.randint(1, 6)):
            x, y, w, h = (draw.uniform(0.02, 0.5, 4) * (SIZE[1], SIZE[0], SIZE[1], SIZE[0])).astype(int)
            text += f"<object><name>{draw.choice(KINDS)}</name><difficult>0</difficult><bndbox><xmin>{x + 1}</xmin><ymin>{y + 1}</ymin><xmax>{x + w + 9}</xmax><ymax>{y + h + 9}</ymax></bndbox></object>"
        Path(f"Annotations/{split}{at}.xml").write_text(text + "</annotation>")
torch.save({}, "resnet50.pth")  # as if none of its names were known
from dataset import VOC_dataset


class Here(VOC_dataset.VOCDataset):
    """The pictures lie in this folder."""

    def __init__(self, root_dir, resize_size, **more):
        super().__init__(root_dir=".", resize_size=RESIZED, **more)


# the script takes it from its module
VOC_dataset.VOCDataset = Here
sys.argv = ["train_voc.py", "--epochs", str(EPOCHS), "--batch_size", str(BATCH), "--n_cpu", str(WORKERS), "--n_gpu", "0"]
runpy.run_path(str(FOLDER / "train_voc.py"), run_name="__main__")
from model.fcos import FCOSDetector

found = FCOSDetector(mode="inference").to(DEVICE).eval()
tested = Here("", RESIZED, split="test", use_difficult=False, is_train=False, augment=None)
for picture, _, _ in torch.utils.data.DataLoader(tested, batch_size=1, shuffle=False, collate_fn=tested.collate_fn):
    with torch.no_grad():
        scores, classes, boxes = found(picture.to(DEVICE))
    boxes[0].cpu().numpy()
    step()
