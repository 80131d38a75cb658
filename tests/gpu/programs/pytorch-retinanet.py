"""yhenon/pytorch-retinanet at 0348a9d57b279e3b5b235461b472d37da5feec3d"""

from pathlib import Path

import numpy as np
import torch

stand_in("pycocotools", "pycocotools.coco", "pycocotools.cocoeval", "skimage", "skimage.io", "skimage.transform")
stand_in("skimage.color", "matplotlib", "matplotlib.pyplot")
torch.__version__ = torch.torch_version.TorchVersion("1" + torch.__version__[1:])  # it asks for 1.x, and runs with 2.x
import train

train.optim.lr_scheduler.ReduceLROnPlateau = lambda optimizer, **_: torch.optim.lr_scheduler.StepLR(optimizer, 1)


def sure(make):
    """A model that finds something, without weights from elsewhere."""

    def made(num_classes, pretrained):
        model = make(num_classes)
        model.classificationModel.output.bias.data.fill_(-1.0)
        return model

    return made


for name in ("resnet18", "resnet50"):
    setattr(train.model, name, sure(getattr(train.model, name)))


class Made(torch.utils.data.Dataset):
    """Images with two boxes each."""

    def __init__(self, *_, **__):
        pass

    def __len__(self):
        return 4

    def num_classes(self):
        return 3

    def image_aspect_ratio(self, _):
        return 1.0

    def label_to_name(self, label):
        return str(label)

    def load_annotations(self, _):
        return np.array([[10.0, 10.0, 60.0, 60.0, 0], [40.0, 30.0, 100.0, 110.0, 2]])

    def __getitem__(self, at):
        return {"img": torch.rand(128, 128, 3), "annot": torch.tensor(self.load_annotations(at)).float(), "scale": 1.0}


train.CSVDataset = Made
for depth in ("18", "50"):
    train.main(["--dataset", "csv", "--csv_train", "-", "--csv_classes", "-", "--csv_val", "-"] + ["--depth", depth, "--epochs", "2"])
model = train.model.resnet18(3, False).to(DEVICE).eval()
for _ in range(2):
    with torch.no_grad():
        model(torch.rand(1, 3, 128, 128, device=DEVICE))
    step()
