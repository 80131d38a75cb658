"""princeton-vl/RAFT at 2888e15a51fa41140771d3f498ed8023cff098d1"""

import sys
from types import SimpleNamespace

import torch

sys.path.insert(0, str(FOLDER / "core"))
stand_in("cv2", "PIL", "matplotlib", "matplotlib.pyplot", "scipy", "torchvision", "torchvision.transforms")
from pathlib import Path

import evaluate
import train

Path("checkpoints").mkdir()


class Moving(torch.utils.data.Dataset):
    """Two images, and how the first moved."""

    def __init__(self, *_, **__):
        pass

    def __len__(self):
        return 2

    def __getitem__(self, at):
        if at >= 2:
            raise IndexError
        return torch.rand(3, 128, 128) * 255, torch.rand(3, 128, 128) * 255, torch.randn(2, 128, 128), torch.ones(128, 128)


args = SimpleNamespace(
    name="raft",
    stage="chairs",
    restore_ckpt=None,
    small=False,
    validation=[],
    lr=1e-4,
    num_steps=8,
    batch_size=2,
    image_size=[128, 128],
    gpus=[0],
    mixed_precision=False,
    iters=3,
    wdecay=5e-5,
    epsilon=1e-8,
    clip=1.0,
    dropout=0.0,
    gamma=0.8,
    add_noise=True,
)


class Space(SimpleNamespace):
    def __contains__(self, name):
        return hasattr(self, name)


args = Space(**vars(args))
train.datasets.fetch_dataloader = lambda _: torch.utils.data.DataLoader(Moving(), batch_size=2)
train.SUM_FREQ = 3
train.train(args)
evaluate.datasets.FlyingChairs = evaluate.datasets.MpiSintel = evaluate.datasets.KITTI = Moving
model = evaluate.RAFT(args).to(DEVICE)
for check in (evaluate.validate_chairs, evaluate.validate_sintel, evaluate.validate_kitti):
    check(model, iters=2)
    step()
