"""rosinality/vq-vae-2-pytorch at ef5f67c46f93624163776caec9e0d95063910eca"""

from types import SimpleNamespace

import torch

stand_in("torchvision", "torchvision.datasets", "torchvision.transforms", "torchvision.utils", "lmdb")
import train_pixelsnail
import train_vqvae
from pixelsnail import PixelSNAIL
from vqvae import VQVAE

train_vqvae.utils.save_image = lambda image, *_, **__: image.cpu()
model = VQVAE(channel=32, n_res_channel=16, embed_dim=16, n_embed=64).to(DEVICE)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-4)
images = [(torch.randn(4, 3, 64, 64), torch.zeros(4)) for _ in range(5)]
train_vqvae.train(0, images, model, optimizer, None, DEVICE)
model.eval()
with torch.no_grad():
    for _ in range(2):
        _, _, _, top, bottom = model.encode(images[0][0].to(DEVICE))
        model.decode_code(top, bottom)
        step()
codes = [(torch.randint(0, 64, (2, 8, 8)), torch.randint(0, 64, (2, 16, 16)), 0) for _ in range(4)]
args = SimpleNamespace(hier="top")
snail = PixelSNAIL([8, 8], 64, 32, 5, 1, 1, 32, dropout=0.1).to(DEVICE)
optimizer = torch.optim.Adam(snail.parameters(), lr=3e-4)
train_pixelsnail.train(args, 0, codes, snail, optimizer, None, DEVICE)
