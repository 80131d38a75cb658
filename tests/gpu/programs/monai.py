"""monai 1.6.1"""

import torch
from monai import losses, metrics
from monai.data import MetaTensor
from monai.inferers import SlidingWindowInferer
from monai.networks.nets import AttentionUnet, SegResNet, UNet
from monai.transforms import (
    AsDiscrete,
    NormalizeIntensity,
    RandFlip,
    RandGaussianNoise,
    RandSpatialCrop,
    ScaleIntensity,
)

x = torch.randn(2, 3, 32, 32, device=DEVICE)
hot = torch.nn.functional.one_hot(torch.randint(0, 3, (2, 32, 32), device=DEVICE), 3).permute(0, 3, 1, 2).float()
classes = hot.argmax(1, keepdim=True)
for name, given in {
    "DiceLoss": {"softmax": True, "include_background": False},
    "DiceCELoss": {"softmax": True},
    "FocalLoss": {"use_softmax": True},
    "DiceFocalLoss": {"softmax": True},
    "GeneralizedDiceLoss": {"softmax": True},
    "TverskyLoss": {"softmax": True},
    "GeneralizedDiceFocalLoss": {"softmax": True},
    "AsymmetricUnifiedFocalLoss": {},
    "UnifiedFocalLoss": {},
}.items():
    if not hasattr(losses, name):
        continue
    loss = getattr(losses, name)(**given).to(DEVICE)
    for _ in range(3):
        inputs, target = x.clone().requires_grad_(), hot
        if "Unified" in name:
            inputs, target = x[:, :2].clone().requires_grad_(), hot[:, :2]
        loss(inputs, target).backward()
        step()
net = UNet(2, 3, 3, (8, 16, 32), (2, 2), num_res_units=1).to(DEVICE)
infer = SlidingWindowInferer((16, 16), sw_batch_size=4, overlap=0.25, mode="gaussian")
dice, iou, confusion = metrics.DiceMetric(get_not_nans=True), metrics.MeanIoU(), metrics.ConfusionMatrixMetric()
extra = [
    metrics.GeneralizedDiceScore(),
    metrics.MAEMetric(),
    metrics.PSNRMetric(1.0),
    metrics.SSIMMetric(2),
    metrics.ROCAUCMetric(),
]
for model in (net, AttentionUnet(2, 3, 3, (8, 16), (2,)).to(DEVICE), SegResNet(2, 8, 3, 3).to(DEVICE)):
    for _ in range(2):
        with torch.no_grad():
            out = infer(x, model)
        prediction = torch.nn.functional.one_hot(out.argmax(1), 3).permute(0, 3, 1, 2).float()
        for metric in (dice, iou, confusion, *extra[:4]):
            metric(prediction, hot)
        extra[4](prediction.flatten(0, 0).amax((2, 3)), torch.eye(3, device=DEVICE)[:2])
        step()
for metric in (dice, iou, confusion, *extra[:4]):
    for _ in range(2):
        metric.aggregate()
        step()
image = MetaTensor(torch.rand(1, 32, 32, device=DEVICE))
for change in (
    AsDiscrete(threshold=0.5),
    AsDiscrete(to_onehot=2),
    NormalizeIntensity(nonzero=True),
    ScaleIntensity(),
    RandGaussianNoise(1.0),
    RandFlip(1.0),
    RandSpatialCrop((16, 16), random_size=False),
):
    for _ in range(2):
        change(image)
        step()
