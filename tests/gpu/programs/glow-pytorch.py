"""rosinality/glow-pytorch at 97081ff115a694cf04aeedbd58447f33d242c879"""

from types import SimpleNamespace

import numpy as np
import torch


def lu(matrix):
    return tuple(part.numpy() for part in torch.linalg.lu(torch.tensor(matrix)))


stand_in("PIL", "torchvision", "torchvision.transforms", "torchvision.datasets", "torchvision.utils")
stand_in("scipy.linalg", qr=np.linalg.qr, lu=lu)
stand_in("scipy", linalg=__import__("sys").modules["scipy.linalg"])
import train
from model import Glow


def batches(path, batch, size):
    while True:
        yield torch.rand(batch, 3, size, size), 0


train.sample_data = batches
args = SimpleNamespace(
    path="", batch=4, img_size=16, n_flow=4, n_block=2, n_bits=5, iter=6, n_sample=4, temp=0.7, lr=1e-4
)
for affine, plain in ((False, False), (True, True)):
    train.model_single = Glow(3, 4, 2, affine=affine, conv_lu=not plain)
    model = torch.nn.DataParallel(train.model_single)
    model = model.to(train.device)
    if DEVICE == "cpu":
        model.module = train.model_single
    train.train(args, model, torch.optim.Adam(model.parameters(), lr=1e-4))
    with torch.no_grad():
        for _ in range(2):
            train.model_single.reverse(
                [torch.randn(4, *each).to(train.device) for each in train.calc_z_shapes(3, 16, 4, 2)]
            )
            step()
