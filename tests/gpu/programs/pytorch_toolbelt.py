"""pytorch-toolbelt 0.8.0"""

import numpy as np
import torch
from torch import nn

stand_in("cv2", copyMakeBorder=lambda picture, top, bottom, left, right, **_: np.pad(picture, ((top, bottom), (left, right), (0, 0))), BORDER_CONSTANT=0)
stand_in("torchvision", "torchvision.ops", "matplotlib", "matplotlib.pyplot")
from pytorch_toolbelt import inference, losses, utils
from pytorch_toolbelt.utils import bboxes_utils

TURNS, MANY, KINDS, SIDE = 3, 4, 5, 32


def pictures(channels=KINDS):
    return torch.randn(MANY, channels, SIDE, SIDE, device=DEVICE, requires_grad=True)


def labels():
    found = torch.randint(0, KINDS, (MANY, SIDE, SIDE), device=DEVICE)
    found[:, :2] = 255
    return found


def truth(channels=1):
    return torch.randint(0, 2, (MANY, channels, SIDE, SIDE), device=DEVICE).float()


def rows():
    return torch.randn(MANY, KINDS, device=DEVICE, requires_grad=True), torch.randint(0, KINDS, (MANY,), device=DEVICE)


def pair(loss, given, wanted):
    return lambda: loss(given(), wanted()).backward()


def classified(loss):
    def asked():
        given, wanted = rows()
        loss(given, wanted).backward()

    return asked


BINARY, MANY_KINDS = (lambda: pictures(1)), pictures
asked = {
    **{f"{name} {ignored}": pair(getattr(losses, name)(ignore_index=ignored), BINARY, truth) for name in ("BalancedBCEWithLogitsLoss", "BinaryFocalLoss", "SoftBCEWithLogitsLoss", "BinarySoftF1Loss", "BinaryLovaszLoss") for ignored in (None, 255)},
    **{f"{name} {mode} {more}": pair(getattr(losses, name)(mode, **more), given, wanted) for name in ("DiceLoss", "JaccardLoss") for mode, given, wanted in (("binary", BINARY, truth), ("multiclass", MANY_KINDS, lambda: labels() % KINDS), ("multilabel", MANY_KINDS, lambda: truth(KINDS))) for more in ({}, {"log_loss": True}, *([{"classes": [0, 2]}] if mode != "binary" else []))},
    "ignoring dice": pair(losses.DiceLoss("multiclass", ignore_index=255), MANY_KINDS, labels),
    "reduced focal": pair(losses.BinaryFocalLoss(alpha=0.5, reduced_threshold=0.5, normalized=True), BINARY, truth),
    "focal": pair(losses.CrossEntropyFocalLoss(ignore_index=255), MANY_KINDS, labels),
    "normalized focal": pair(losses.CrossEntropyFocalLoss(normalized=True, ignore_index=255), MANY_KINDS, labels),
    "focal of kinds": classified(losses.CrossEntropyFocalLoss()),
    "focal cosine": classified(losses.FocalCosineLoss()),
    "soft f1": classified(losses.SoftF1Loss()),
    "lovasz": pair(losses.LovaszLoss(), lambda: pictures().softmax(1), lambda: labels() % KINDS),
    "lovasz of each": pair(losses.LovaszLoss(per_image=True, ignore=255), lambda: pictures().softmax(1), labels),
    "lovasz of pictures": pair(losses.BinaryLovaszLoss(per_image=True), BINARY, truth),
    "soft ce": pair(losses.SoftCrossEntropyLoss(ignore_index=255, smooth_factor=0.1), MANY_KINDS, labels),
    "tempered": classified(losses.BiTemperedLogisticLoss(0.8, 1.2, smoothing=0.1)),
    "tempered, cold": classified(losses.BiTemperedLogisticLoss(0.5, 0.8)),
    "tempered of two": pair(losses.BinaryBiTemperedLogisticLoss(0.8, 1.2, ignore_index=255), BINARY, truth),
    "wing": pair(losses.WingLoss(), BINARY, truth),
    "log cosh": pair(losses.LogCoshLoss(), BINARY, truth),
    "quality": pair(losses.QualityFocalLoss(), BINARY, truth),
}
net = nn.Conv2d(3, KINDS, 3, padding=1).to(DEVICE)
namer = nn.Sequential(net, nn.AdaptiveAvgPool2d(1), nn.Flatten()).to(DEVICE)


def turned():
    picture = torch.randn(MANY, 3, SIDE, SIDE, device=DEVICE)
    for name in dir(inference):
        if name.endswith("_image_augment") and hasattr(inference, name.replace("augment", "deaugment")):
            tried(name, 1, lambda: getattr(inference, name.replace("augment", "deaugment"))(net(getattr(inference, name)(picture))))
    for name in ("d4_labels_deaugment", "d2_labels_deaugment", "fliplr_labels_deaugment"):
        tried(name, 1, lambda: getattr(inference, name)(namer(getattr(inference, name.replace("labels_deaugment", "image_augment"))(picture))))
    shown = [picture[..., : SIDE // at, : SIDE // at] for at in (1, 2)]
    tried("scales", 1, lambda: inference.ms_image_deaugment([net(part) for part in shown], [0, -SIDE // 2]))
    inference.GeneralizedTTA(net, inference.d4_image_augment, inference.d4_image_deaugment)(picture)
    tried("more scales", 1, lambda: inference.MultiscaleTTA(net, [0, 16], inference.ms_image_augment, inference.ms_image_deaugment)(picture))
    tried("together", 1, lambda: inference.Ensembler([net, net])(picture))


def tiled():
    slicer = inference.ImageSlicer((100, 90, 3), tile_size=(SIDE, SIDE), tile_step=(SIDE // 2, SIDE // 2), weight="pyramid")
    parts = slicer.split(np.random.rand(100, 90, 3).astype(np.float32))
    merger = inference.TileMerger(slicer.target_shape, KINDS, slicer.weight, device=DEVICE)
    for at in range(0, len(parts), 8):
        merger.integrate_batch(net(torch.from_numpy(np.stack(parts[at : at + 8])).permute(0, 3, 1, 2).to(DEVICE)).detach(), slicer.crops[at : at + 8])
    utils.to_numpy(merger.merge())


def boxed():
    one, other = (torch.rand(20, 4, device=DEVICE).cumsum(1) for _ in range(2))
    for name in bboxes_utils.__all__:
        tried(name, 1, lambda: getattr(bboxes_utils, name)(one, other))


for at in range(TURNS):
    for name, what in {**asked, "turned": turned, "tiled": tiled, "boxed": boxed}.items():
        tried(name, at, what)
    step()
