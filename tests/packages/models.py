"""Run models of a package before and after its fixes, forward and backward, and compare; not part of the tests.

    python tests/packages/fix.py --keep FIXED PACKAGES/timm
    python tests/packages/models.py timm PACKAGES/timm FIXED/timm-unsafe

Each program starts from one seed in a process that imports the one or the other copy, the first of them twice. Prints
what differs: `bits` where results and gradients are the same bits, else by how much they are off, as a share of the
largest number. Ends with 1 if a program fails in one copy alone, or is off by more than rounding.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch import library
from transformers_models import transformers  # noqa: F401 - found by its name, as those below

ROUNDING = 1e-4
Program = Callable[[], tuple[torch.nn.Module | None, Any]]


def timm() -> Iterator[tuple[str, Program]]:
    from timm import create_model, optim

    image = 160
    for name in (
        "edgenext_xx_small",
        "repghostnet_050",
        "resnet18",
        "vit_tiny_patch16_224",
        "convnext_atto",
        "mobilenetv3_small_050",
    ):
        size = {"img_size": image} if name.startswith("vit") else {}
        model = create_model(name, num_classes=7, **size)
        yield name, lambda model=model: (model, model(torch.randn(2, 3, image, image)))
    head = create_model("resnet18", num_classes=7)
    from timm.layers import ml_decoder

    head = ml_decoder.add_ml_decoder_head(head)
    yield "ml_decoder", lambda: (head, head(torch.randn(2, 3, image, image)))
    for name in ("adafactor", "novograd", "adamw"):
        yield name, lambda name=name: _trained(lambda weights: optim.create_optimizer_v2(weights, name, lr=0.01))


def kornia() -> Iterator[tuple[str, Program]]:
    from kornia import augmentation, color, feature, geometry, losses
    from kornia.feature.adalam import utils

    yield "colormap", lambda: (None, color.ApplyColorMap(color.ColorMap(base="jet"))(torch.rand(1, 1, 8, 8)))
    points = torch.rand(1, 30, 2)
    yield "homography", lambda: (None, geometry.find_homography_dlt(points, points * 2 + 1))
    yield (
        "ransac",
        lambda: (None, geometry.RANSAC("fundamental", max_iter=5)(torch.rand(40, 2) * 99, torch.rand(40, 2) * 99)),
    )
    yield "angles", lambda: (None, utils.orientation_diff(torch.rand(9) * 720 - 360, torch.rand(9) * 360))
    loss = losses.HausdorffERLoss(k=3)
    yield "hausdorff", lambda: (None, loss(_grad(torch.rand(2, 2, 8, 8)), torch.randint(0, 2, (2, 1, 8, 8))))
    yield "crop", lambda: (None, augmentation.CenterCrop(4, cropping_mode="resample")(_grad(torch.rand(2, 3, 8, 8))))
    yield "mutual", lambda: (None, losses.MILossFromRef(torch.rand(8, 8))(_grad(torch.rand(8, 8))))
    yield "hardnet", lambda: (None, feature.HardNet(False)(_grad(torch.rand(3, 1, 32, 32))))
    yield (
        "transplantation",
        lambda: (
            None,
            augmentation.RandomTransplantation(p=1.0)(torch.rand(3, 3, 8, 8), torch.randint(0, 3, (3, 8, 8))),
        ),
    )


def monai() -> Iterator[tuple[str, Program]]:
    from monai import losses, networks

    image, label = (2, 1, 16, 16), torch.randint(0, 2, (2, 1, 16, 16)).float()
    made = {
        "barlow": lambda: losses.BarlowTwinsLoss()(_grad(torch.rand(4, 8)), torch.rand(4, 8)),
        "contrastive": lambda: losses.ContrastiveLoss()(_grad(torch.rand(4, 8)), torch.rand(4, 8)),
        "bending": lambda: losses.BendingEnergyLoss()(_grad(torch.rand(1, 3, 6, 6, 6))),
        "diffusion": lambda: losses.DiffusionLoss()(_grad(torch.rand(1, 3, 6, 6, 6))),
        "dice": lambda: losses.GeneralizedDiceLoss()(_grad(torch.rand(image)), label),
        "wasserstein": lambda: losses.GeneralizedWassersteinDiceLoss(torch.tensor([[0.0, 1.0], [1.0, 0.0]]))(
            _grad(torch.rand(2, 2, 16, 16)), label
        ),
        "correlation": lambda: losses.LocalNormalizedCrossCorrelationLoss(spatial_dims=2)(_grad(torch.rand(image)), torch.rand(image)),
        "mutual": lambda: losses.GlobalMutualInformationLoss()(_grad(torch.rand(image)), torch.rand(image)),
        "focal": lambda: losses.AsymmetricUnifiedFocalLoss()(_grad(torch.rand(2, 2, 16, 16)), torch.cat((label, 1 - label), 1)),
        "deep": lambda: losses.DeepSupervisionLoss(losses.DiceLoss())([_grad(torch.rand(image))] * 2, label),
        "savitzky": lambda: networks.layers.SavitzkyGolayFilter(5, 2)(torch.rand(1, 1, 16)),
        "hilbert": lambda: networks.layers.HilbertTransform()(torch.rand(1, 1, 16)).abs(),
    }  # fmt: skip
    yield from ((name, lambda run=run: (None, run())) for name, run in made.items())
    for name, net, shape in (
        ("unet", lambda: networks.nets.UNet(2, 1, 2, (4, 8), (2,)), image),
        ("swin", lambda: networks.nets.SwinUNETR(1, 2, feature_size=12, spatial_dims=2), (1, 1, 64, 64)),
        (
            "autoencoder",
            lambda: networks.nets.MaskedAutoEncoderViT(
                1, 16, 8, spatial_dims=2, hidden_size=48, num_heads=4, mlp_dim=8
            ),
            image,
        ),
    ):
        yield name, lambda net=net, shape=shape: _applied(net(), shape)


def torchvision() -> Iterator[tuple[str, Program]]:
    from torchvision import models, ops

    image = 64
    for name in ("resnet18", "mobilenet_v3_small", "shufflenet_v2_x0_5"):
        yield name, lambda name=name: _applied(models.get_model(name, weights=None), (2, 3, image, image))
    boxes = torch.tensor([[4.0, 4.0, 40.0, 40.0], [8.0, 2.0, 30.0, 60.0]])
    target = [{"boxes": boxes, "labels": torch.tensor([1, 2])}]
    detector = models.detection.fcos_resnet50_fpn(
        weights=None, weights_backbone=None, num_classes=3, min_size=image, max_size=image
    )
    yield "fcos", lambda: (detector, detector([torch.rand(3, image, image)], target))
    losses = {
        "ciou": ops.complete_box_iou_loss,
        "diou": ops.distance_box_iou_loss,
        "giou": ops.generalized_box_iou_loss,
    }
    for name, loss in losses.items():
        yield name, lambda loss=loss: (None, loss(_grad(torch.rand(5, 4).cumsum(1)), torch.rand(5, 4).cumsum(1)))


def diffusers() -> Iterator[tuple[str, Program]]:
    import diffusers
    from diffusers.models.transformers.transformer_kandinsky import Kandinsky5TimeEmbeddings

    image = (1, 3, 8, 8)
    small = {"block_out_channels": (8,), "norm_num_groups": 4}
    for name, make in {
        "vq": lambda: diffusers.VQModel(latent_channels=3, num_vq_embeddings=8, **small),
        "vq codebook": lambda: diffusers.VQModel(
            latent_channels=3, num_vq_embeddings=8, lookup_from_codebook=True, **small
        ),
        "kl": lambda: diffusers.AutoencoderKL(**small),
    }.items():
        yield name, lambda make=make: (net := make(), net(torch.rand(image)).sample)
    yield "kandinsky", lambda: _applied(Kandinsky5TimeEmbeddings(8, 8), (2,))
    for name in ("ScoreSdeVeScheduler", "DDPMScheduler", "EulerDiscreteScheduler", "LCMScheduler"):
        yield name, lambda name=name: (None, list(_denoised(getattr(diffusers, name)(), torch.rand(image))))


def _denoised(scheduler: Any, sample: torch.Tensor) -> Iterator[torch.Tensor]:
    scheduler.set_timesteps(4)
    if hasattr(scheduler, "set_sigmas"):
        scheduler.set_sigmas(4)
    for step in scheduler.timesteps[:3]:
        if hasattr(scheduler, "step_correct"):
            sample = scheduler.step_correct(torch.rand_like(sample), sample).prev_sample
        turn = scheduler.step_pred if hasattr(scheduler, "step_pred") else scheduler.step
        sample = turn(torch.rand_like(sample), step, sample).prev_sample
        yield sample


def _applied(net: torch.nn.Module, shape: tuple[int, ...]) -> tuple[torch.nn.Module, Any]:
    return net, net(torch.rand(shape))


def _trained(make: Callable[[Any], torch.optim.Optimizer]) -> tuple[torch.nn.Module, Any]:
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Linear(8, 2))
    optimizer = make(model.parameters())
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.rand(4, 8)).square().sum().backward()
        optimizer.step()
    return model, list(model.parameters())


GIVEN: list[torch.Tensor] = []


def _grad(tensor: torch.Tensor) -> torch.Tensor:
    """An input whose gradient is compared."""
    GIVEN.append(tensor.requires_grad_())
    return tensor


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, list | tuple | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _tensors(each)


def record(package: str) -> dict[str, Any]:
    """What every program of a package comes to: tensors, or the text of an error."""
    found: dict[str, Any] = {}
    torch.manual_seed(0)
    for name, program in globals()[package]():
        torch.manual_seed(1)
        GIVEN.clear()
        try:
            model, result = program()
            results = list(_tensors(result))
            total = sum(
                each.double().square().sum() for each in results if each.requires_grad and each.grad_fn is not None
            )
            if isinstance(total, torch.Tensor):
                total.backward()
            weights = [*(model.parameters() if model is not None else ()), *GIVEN]
            grads = [weight.grad for weight in weights if weight.grad is not None]
            found[name] = [each.detach().double() for each in (*results, *grads)]
        except Exception as error:
            found[name] = f"{type(error).__name__}: {error}"
    return found


def child(package: str, folder: Path, file: Path) -> dict[str, Any]:
    path = os.pathsep.join((str(folder), os.environ.get("PYTHONPATH", "")))
    command = [sys.executable, "-W", "ignore", __file__, package, str(folder), "--record", str(file)]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, check=True)
    return dict(torch.load(file))


def difference(one: Any, other: Any) -> float:
    """By how much two results are off, as a share of the largest number; infinite where they cannot be compared."""
    if isinstance(one, str) or isinstance(other, str) or len(one) != len(other):
        return 0.0 if one == other else float("inf")
    worst = 0.0
    for a, b in zip(one, other, strict=True):
        if a.shape != b.shape or not torch.equal(a.isnan(), b.isnan()):
            return float("inf")
        if a.numel() and not torch.equal(a.nan_to_num(), b.nan_to_num()):
            worst = max(worst, float((a - b).nan_to_num().abs().max() / a.nan_to_num().abs().max().clamp(min=1e-6)))
    return worst


def load(package: str) -> Any:
    """A package; torchvision comes without its compiled operators where they were built for another PyTorch."""
    operators = library.Library("torchvision", "FRAGMENT")
    while True:
        try:
            return importlib.import_module(package)
        except RuntimeError as error:  # noqa: PERF203
            missing = re.search(r"operator torchvision::(\w+) does not exist", str(error))
            if missing is None:
                raise
            operators.define(f"{missing[1]}(Tensor boxes, Tensor scores, float threshold) -> Tensor")
            for name in [name for name in sys.modules if name.startswith(("torchvision", package))]:
                del sys.modules[name]


def main() -> int:
    """Both copies; the answer is the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("package", choices=("timm", "kornia", "monai", "torchvision", "diffusers", "transformers"))
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--record", type=Path)
    asked = parser.parse_args()
    if asked.record is not None:
        loaded = load(asked.package)
        assert Path(str(loaded.__file__)).is_relative_to(asked.folders[0].resolve()), "another copy was imported"
        torch.save(record(asked.package), asked.record)
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        old_folder, new_folder = (each.resolve() for each in asked.folders)
        seen = Path(scratch) / "seen.pt"
        before, again, after = (child(asked.package, each, seen) for each in (old_folder, old_folder, new_folder))
    wrong = 0
    for name, old in before.items():
        off = difference(old, after[name])
        wrong += off > ROUNDING
        said = f"both raise {old}" if isinstance(old, str) and not off else "bits" if not off else f"off by {off:.1e}"
        said += ", but so it is from run to run" if off and difference(old, again[name]) else ""
        print(
            f"{asked.package} {name}: {said}"
            + (f" (before: {old}; after: {after[name]})" if off == float("inf") else "")
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
