"""eriklindernoren/PyTorch-GAN at 36d3c77e5ff20ebe0aeefd322326a134a279b93e"""

import runpy
import sys
from unittest.mock import MagicMock

import torch


class Digits(torch.utils.data.Dataset):
    def __init__(self, *_, **__):
        self.images = torch.randn(32, 1, 32, 32)

    def __len__(self):
        return 32

    def __getitem__(self, at):
        return self.images[at], at % 10


class Pairs(Digits):
    def __getitem__(self, at):
        return {"A": torch.randn(3, 256, 256), "B": torch.randn(3, 256, 256)}


def save_image(images, *_, **__):
    images.cpu()


images = {"MNIST": Digits}
stand_in("torchvision.datasets", **images)
stand_in("torchvision.utils", save_image=save_image, make_grid=lambda images, **_: images)
stand_in("torchvision.transforms", **{"__getattr__": lambda _: MagicMock()})
parts = {part: sys.modules[f"torchvision.{part}"] for part in ("datasets", "utils", "transforms")}
stand_in("torchvision", __path__=[], **parts)
short = ["--n_epochs", "2", "--batch_size", "8", "--sample_interval", "3"]
for name in ("aae", "acgan", "cgan", "gan", "infogan", "relativistic_gan", "wgan_gp"):
    sys.argv = [f"{name}.py", *short, "--img_size", "32"]
    runpy.run_path(str(FOLDER / f"implementations/{name}/{name}.py"), run_name="__main__")
    step()
stand_in("datasets", ImageDataset=Pairs, Image=MagicMock())
pairs = ["--img_height", "256", "--img_width", "256", "--decay_epoch", "1", "--n_cpu", "0", "--sample_interval", "3"]
for name, more in (("pix2pix", []), ("cyclegan", ["--n_residual_blocks", "2"])):
    folder = str(FOLDER / "implementations" / name)
    sys.path.insert(0, folder)
    sys.argv = [f"{name}.py", "--n_epochs", "2", "--batch_size", "8", *pairs, *more]
    runpy.run_path(f"{folder}/{name}.py", run_name="__main__")
    sys.path.remove(folder)
    for module in ("models", "utils"):
        sys.modules.pop(module, None)
    step()
