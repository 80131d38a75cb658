"""pytorch-msssim 1.0.0"""

import pytorch_msssim
import torch

x, y = torch.rand(2, 3, 192, 192, device=DEVICE), torch.rand(2, 3, 192, 192, device=DEVICE)
for loss in (pytorch_msssim.SSIM(data_range=1.0), pytorch_msssim.MS_SSIM(data_range=1.0)):
    for _ in range(3):
        loss(x.clone().requires_grad_(), y).backward()
        step()
