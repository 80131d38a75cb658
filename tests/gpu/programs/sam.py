"""davda54/sam at 3c3afdbd71cff2462ec91c734b3d1170bd0f3707"""

import runpy
import sys
from types import SimpleNamespace

import torch

EPOCHS, PICTURES = 2, 640


class Pictures(torch.utils.data.Dataset):
    """Pictures of CIFAR's sizes."""

    def __init__(self, root, train, download, transform):
        self.pictures, self.transform = torch.rand(500, 3, 32, 32), transform
        self.size = (PICTURES if root == "./data" else 500) if train else 256

    def __len__(self):
        return self.size

    def __getitem__(self, at):
        return self.transform(self.pictures[at % 500].clone()), at % 10


def crop(size, padding):
    def cropped(picture):
        top, left = torch.randint(0, 2 * padding + 1, (2,)).tolist()
        return torch.nn.functional.pad(picture, (padding,) * 4)[:, top : top + size[0], left : left + size[1]]

    return cropped


made = {
    "Compose": Compose, "RandomCrop": crop, "RandomHorizontalFlip": lambda: lambda picture: picture.flip(-1) if torch.rand(()) < 0.5 else picture,
    "ToTensor": lambda: lambda picture: picture, "Normalize": lambda mean, std: lambda picture: (picture - mean[:, None, None]) / std[:, None, None],
}  # fmt: skip
stand_in("torchvision", datasets=SimpleNamespace(CIFAR10=Pictures), transforms=SimpleNamespace(**made))
stand_in("torchvision.transforms", **made)
sys.path.insert(0, str(FOLDER / "example"))
sys.argv = ["train.py", "--epochs", str(EPOCHS)]
runpy.run_path(str(FOLDER / "example/train.py"), run_name="__main__")
