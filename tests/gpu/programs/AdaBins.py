"""shariqfarooq123/AdaBins at 0952d91e9e762be310bb4cd055cbfe2448c0ce20"""

import sys
from types import ModuleType, SimpleNamespace

import torch
import torch._dynamo  # it looks for modules that are stood in for below
from torch import nn

stand_in("wandb", "matplotlib", "matplotlib.cm", "PIL", "scipy", "torchvision", "torchvision.transforms", "tqdm")
sys.modules["tqdm"].tqdm = lambda loop, **_: loop
pytorch3d, loss3d = ModuleType("pytorch3d"), ModuleType("pytorch3d.loss")


def chamfer_distance(x, y, y_lengths):
    inside = torch.arange(y.shape[1], device=y.device) < y_lengths[:, None]
    far = (x - y.transpose(1, 2)).square()
    return (far.amin(1) * inside).mean() + far.amin(2).mean(), None


loss3d.chamfer_distance = chamfer_distance
sys.modules.update({"pytorch3d": pytorch3d, "pytorch3d.loss": loss3d})
import models
import train


class Model(models.UnetAdaptiveBins):
    def __init__(self):
        super().__init__(nn.Identity(), n_bins=256, min_val=1e-3, max_val=10)
        self.decoder, self.encoder = nn.Conv2d(3, 128, 3, 2, 1), nn.Identity()



def batches(size):
    return [
        {"image": torch.rand(size, 3, 320, 448), "depth": torch.rand(size, 1, 320, 448) * 9 + 0.1} for _ in range(4)
    ]


train.DepthDataLoader = lambda _, mode: SimpleNamespace(data=batches(2 if mode == "train" else 1))
train.model_io = SimpleNamespace(save_checkpoint=lambda *_, **__: None)
train.logging = True
args = SimpleNamespace(
    bs=2, wd=0.1, lr=1e-4, distributed=False, rank=0, tags="", dataset="nyu", root=".", notes="", chamfer=True, same_lr=True,
    multigpu=False, epoch=0, last_epoch=-1, div_factor=25, final_div_factor=100, resume="", min_depth=1e-3, w_chamfer=0.1,
    validate_every=3, min_depth_eval=1e-3, max_depth_eval=10, garg_crop=False, eigen_crop=False, max_depth=10,
)
train.is_rank_zero = lambda _: True
one = batches(1)
train.train(Model().to(DEVICE), args, epochs=1, device=DEVICE)
for at in range(3):
    train.validate(args, Model().to(DEVICE).eval(), one, train.SILogLoss(), 0, 1, DEVICE)
    step()
