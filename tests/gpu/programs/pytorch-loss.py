"""pytorch-loss of CoinCheung, commit 67d015844e4597c3ff6895fc831cd22ac7d59299 (what needs no extension of its own)"""

import torch
from torch import nn

stand_in("swish_cpp", "mish_cpp", "focal_cpp", "one_hot_cpp", "large_margin_cpp", "lsr_cpp", "soft_dice_cpp", "taylor_softmax_cpp", "lovasz_softmax_cpp", "ohem_cpp", "frelu_cpp", "layer_norm_cpp", "iou_loss_cpp", "giou_loss_cpp", "generalized_iou_cpp")
import pytorch_loss as made


classes = 5
net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), made.SwishV1(), nn.Conv2d(8, 8, 3, padding=1), made.HSwishV1(), made.MishV1(), nn.Conv2d(8, classes, 1)).to(DEVICE)
optimizer = torch.optim.SGD(net.parameters(), lr=1e-3)
average = made.EMA(net, 0.9)
maps = {
    "PCSoftmaxCrossEntropyV1": {"lb_proportion": [0.2] * classes, "ignore_index": 255}, "PCSoftmaxCrossEntropyV2": {"lb_proportion": [0.2] * classes, "ignore_index": 255}, "LargeMarginSoftmaxV1": {"ignore_index": 255}, "LargeMarginSoftmaxV2": {"ignore_index": 255}, "LabelSmoothSoftmaxCEV1": {"ignore_index": 255},
    "LabelSmoothSoftmaxCEV2": {"ignore_index": 255}, "Dual_Focal_loss": {}, "GeneralizedSoftDiceLoss": {}, "BatchSoftDiceLoss": {"weight": [1.0] * classes}, "AffinityLoss": {"ignore_index": 255}, "AffinityFieldLoss": {"kl_margin": 3.0}, "LovaszSoftmaxV1": {"ignore_index": 255}, "TaylorCrossEntropyLossV1": {"ignore_index": 255},
}
kept = {}
for name, named in maps.items():
    tried(name, 0, lambda: kept.__setitem__(name, getattr(made, name)(**named).to(DEVICE)))
for at in range(3):
    images = torch.rand(4, 3, 20, 20, device=DEVICE)
    marks = torch.randint(0, classes, (4, 20, 20), device=DEVICE)
    marks[0, 2:5] = 255
    for name, loss in kept.items():

        def trained():
            loss(net(images), marks).mean().backward()
            optimizer.step()
            optimizer.zero_grad()
            average.update_params()

        tried(name, at, trained)
    one = (torch.rand(4, 20, 20, device=DEVICE) > 0.5).float()
    for name in ("SoftDiceLossV1", "SoftDiceLossV2", "FocalLossV1", "FocalLossV2"):
        tried(name, at, lambda: (getattr(made, name)()(net(images)[:, 0], one).mean().backward(), optimizer.step(), optimizer.zero_grad()))
    a, p, n = (torch.randn(8, 16, device=DEVICE, requires_grad=True) for _ in range(3))
    for margin in (None, 0.3):
        tried("TripletLoss", at, lambda: made.TripletLoss(margin)(a, p, n).backward())
    tried("AMSoftmax", at, lambda: made.AMSoftmax(16, classes).to(DEVICE)(a, torch.randint(0, classes, (8,), device=DEVICE)).backward())
    boxes = [torch.rand(6, 4, device=DEVICE).cumsum(1).requires_grad_() for _ in range(2)]
    for name in ("GIOULoss", "DIOULoss", "CIOULoss"):
        tried(name, at, lambda: getattr(made, name)()(*boxes).backward())
    tried("one hot", at, lambda: made.convert_to_one_hot(marks, classes, ignore_idx=255))
    for module in (lambda: made.CoordConv2d(3, 4), lambda: made.DY_Conv2d(3, 4, 3, padding=1), lambda: made.LayerNormV1(3)):
        tried("module", at, lambda: module().to(DEVICE)(images).sum().backward())
    tried("average", at, lambda: (average.apply_shadow(), net(images), average.restore()))
    step()
