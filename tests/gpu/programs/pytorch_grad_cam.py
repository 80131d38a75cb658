"""grad-cam 1.0.0"""

import torch

from pytorch_grad_cam import CAM, GuidedBackpropReLUModel

model = torch.nn.Sequential(
    torch.nn.Conv2d(3, 8, 3), torch.nn.ReLU(), torch.nn.AdaptiveAvgPool2d(4), torch.nn.Flatten(), torch.nn.Linear(128, 5)
)
cuda, image = DEVICE == "cuda", torch.randn(1, 3, 32, 32)
look = CAM(model, model[0], use_cuda=cuda)
for method in ("gradcam", "gradcam++", "scorecam", "xgradcam", "ablationcam"):
    for kind in (None, 2, None):
        try:
            look(image, method=method, target_category=kind)
        except Exception as error:
            print(method, error)
        step()
guided = GuidedBackpropReLUModel(model, use_cuda=cuda)
for kind in (None, 2, None):
    guided(image.to(DEVICE), target_category=kind)
    step()
