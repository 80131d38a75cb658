"""piqa 1.3.2"""

import torch

stand_in("torchvision", "torchvision.models")
import piqa

x, y = torch.rand(2, 3, 192, 192, device=DEVICE), torch.rand(2, 3, 192, 192, device=DEVICE)
for name in ("TV", "PSNR", "SSIM", "MS_SSIM", "GMSD", "MS_GMSD", "MDSI", "HaarPSI", "VSI", "FSIM"):
    metric = getattr(piqa, name)().to(DEVICE)
    for _ in range(3):
        one = x.clone().requires_grad_()
        (metric(one) if name == "TV" else metric(one, y)).backward()
        step()
