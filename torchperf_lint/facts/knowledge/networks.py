"""Networks of torchvision and timm, by the names of the functions that make them: `resnet50`, `convnext_tiny`."""

from __future__ import annotations

from typing import Final

_CONVOLUTIONAL: Final = (
    "resnet", "wide_resnet", "resnext", "densenet", "vgg", "regnet", "convnext", "unet", "deeplab", "fcn_",
)  # fmt: skip
"""Made of two-dimensional convolutions that run faster with channels last."""
_CLASSIFIERS: Final = (
    "resnet", "resnext", "wide_resnet", "vgg", "mobilenet_v2", "mobilenet_v3", "efficientnet", "densenet", "convnext", "vit_",
    "regnet", "alexnet", "squeezenet",
)  # fmt: skip
"""Of `torchvision.models`, whose models use every parameter at every step; inception and googlenet may not."""


def is_convolutional(name: str) -> bool:
    """Whether a function makes a network of two-dimensional convolutions."""
    return name.startswith(_CONVOLUTIONAL)


def uses_all_parameters(name: str) -> bool:
    """Whether each parameter of a network has a gradient at every step."""
    return name.startswith(_CLASSIFIERS)
