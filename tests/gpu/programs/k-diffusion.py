"""crowsonkb/k-diffusion at 4601bf085320592473f681a62808ed873d17fad5"""

import contextlib
import json
import math
import os
import re
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch

os.environ["K_DIFFUSION_USE_COMPILE"] = "0"
PICTURES, BATCH, STEPS, SAMPLES, WORKERS, TAKEN = 128, 16, 12, 16, 2, 6
WIDTHS, TRANSFORMER = [64, 64, 128], {"depths": [4], "widths": [256]}


def rearrange(x, pattern, **sizes):
    """As einops's."""
    sides = [[(group or name).split() for group, name in re.findall(r"\(([^)]*)\)|(\S+)", side)] for side in pattern.split("->")]
    more = [[f"more{at}"] for at in range(x.dim() - len(sides[0]) + 1)]
    left, right = ([part for group in side for part in (more if group == ["..."] else [group])] for side in sides)
    for group, size in zip(left, x.shape):
        known = math.prod(sizes[name] for name in group if name in sizes)
        sizes |= {name: size // known for name in group if name not in sizes}
    names = [name for group in left for name in group]
    x = x.reshape([sizes[name] for name in names]).permute([names.index(name) for group in right for name in group])
    return x.reshape([math.prod(sizes[name] for name in group) for group in right])


def merge(base, over):
    """As jsonmerge's."""
    if not (isinstance(base, dict) and isinstance(over, dict)):
        return over
    return {name: merge(base[name], over[name]) if name in base and name in over else over.get(name, base.get(name)) for name in {**base, **over}}


class Loader:
    def __init__(self, loader):
        self.loader = loader

    def __iter__(self):
        for (picture, original, how), kind in self.loader:
            yield [part.to(DEVICE, non_blocking=True) for part in (picture, original, how)], kind.to(DEVICE, non_blocking=True)


class Accelerator:
    """What the program asks of accelerate's, on one device."""

    device, num_processes, process_index = torch.device(DEVICE), 1, 0
    is_main_process = is_local_main_process = sync_gradients = True
    gradient_state, step = SimpleNamespace(num_steps=1), 0
    print, save = staticmethod(print), staticmethod(torch.save)

    def __init__(self, **_):
        pass

    def wait_for_everyone(self):
        pass

    def prepare(self, *things):
        return [thing.to(DEVICE) if isinstance(thing, torch.nn.Module) else Loader(thing) if isinstance(thing, torch.utils.data.DataLoader) else thing for thing in things]

    def gather(self, values):
        return values

    unwrap_model = gather

    def accumulate(self, _):
        return contextlib.nullcontext()

    def backward(self, loss):
        loss.backward()

    def clip_grad_norm_(self, *given):
        return torch.nn.utils.clip_grad_norm_(*given)


class BrownianTree:
    """As torchsde's, but what it gives is drawn anew each time."""

    def __init__(self, t0, w0, t1, entropy):
        self.like = w0

    def __call__(self, t0, t1):
        return torch.randn_like(self.like) * (t1 - t0).abs().sqrt().to(self.like.device)


class Picture:
    """What the program asks of PIL's, or of torchvision's that were made of tensors."""

    size = (28, 28)

    def __init__(self, at=0):
        self.pixels = np.random.RandomState(at).randint(0, 256, self.size, dtype=np.uint8)

    def __array__(self, dtype=None, copy=None):
        return self.pixels.astype(dtype or np.uint8)

    def save(self, _):
        pass


class Pictures(torch.utils.data.Dataset):
    def __init__(self, *_, transform, **__):
        self.transform = transform

    def __len__(self):
        return PICTURES

    def __getitem__(self, at):
        return self.transform(Picture(at)), at % 10


def to_pil_image(pixels):
    pixels.cpu()
    return Picture()


transforms = SimpleNamespace(Compose=Compose, Resize=lambda *_, **__: lambda picture: picture, CenterCrop=lambda _: lambda picture: picture, InterpolationMode=SimpleNamespace(BICUBIC=3), Normalize=None)
stand_in("accelerate", Accelerator=Accelerator)
stand_in("safetensors", __path__=[])
stand_in("safetensors.torch", load_file=lambda path: torch.load(path, map_location="cpu"))
stand_in("torchvision", __path__=[], transforms=transforms, datasets=SimpleNamespace(MNIST=Pictures), utils=SimpleNamespace(make_grid=lambda pixels, **_: pixels[0]))
stand_in("torchvision.transforms", __path__=[], functional=SimpleNamespace(to_pil_image=to_pil_image))
stand_in("einops", rearrange=rearrange, repeat=None)
stand_in("jsonmerge", merge=merge)
stand_in("torchsde", BrownianTree=BrownianTree)
stand_in("clip", available_models=lambda: ["ViT-B/16"])
stand_in("skimage", transform=SimpleNamespace(AffineTransform=lambda mat: SimpleNamespace(inverse=mat), warp=lambda picture, *_, **__: picture))
stand_in("PIL", "cleanfid", "cleanfid.inception_torchscript", "dctorch", "torchdiffeq")
begin = torch.optim.lr_scheduler.LRScheduler.__init__
torch.optim.lr_scheduler.LRScheduler.__init__ = lambda self, optimizer, last=-1, verbose=False: begin(self, optimizer, last)  # as it was then
import k_diffusion as K

K.evaluation.InceptionV3FeatureExtractor = lambda device: lambda pictures: pictures.flatten(1)[:, ::16]
for base in ("config_mnist", "config_mnist_transformer"):
    config = json.loads((FOLDER / "configs" / f"{base}.json").read_text(encoding="utf-8"))
    config["model"] |= TRANSFORMER if "widths" in config["model"] else {"channels": WIDTHS}
    Path(f"{base}.json").write_text(json.dumps(config), encoding="utf-8")
    sys.argv = ["train.py", "--config", f"{base}.json", "--name", base, "--batch-size", str(BATCH), "--end-step", str(STEPS), "--demo-every", "6", "--evaluate-every", str(STEPS)]
    sys.argv += ["--evaluate-n", str(SAMPLES), "--sample-n", str(SAMPLES), "--num-workers", str(WORKERS), "--start-method", "fork"]
    torch.multiprocessing.set_start_method(None, force=True)
    runpy.run_path(str(FOLDER / "train.py"), run_name="__main__")
    model = K.config.make_model(K.config.load_config(config)).to(DEVICE).eval()
    torch.save(model.state_dict(), f"{base}.pt")
    if "widths" not in config["model"]:  # those with classes are not for it
        sys.argv = ["sample.py", "--checkpoint", f"{base}.pt", "--config", f"{base}.json", "-n", str(SAMPLES), "--batch-size", str(BATCH // 2), "--steps", str(TAKEN)]
        runpy.run_path(str(FOLDER / "sample.py"), run_name="__main__")
        plain = model
denoiser = K.config.make_denoiser_wrapper(K.config.load_config("config_mnist.json"))(plain)
for sampler in ("euler", "euler_ancestral", "heun", "dpm_2", "dpm_2_ancestral", "lms", "dpmpp_2s_ancestral", "dpmpp_sde", "dpmpp_2m", "dpmpp_2m_sde", "dpmpp_3m_sde"):
    for at in range(2):
        sigmas = K.sampling.get_sigmas_karras(TAKEN, 0.01, 80, device=DEVICE)
        noise = torch.randn(4, 1, 28, 28, device=DEVICE) * 80
        tried(sampler, at, lambda: getattr(K.sampling, f"sample_{sampler}")(denoiser, noise, sigmas, disable=True))
        step()
for at in range(2):
    noise = torch.randn(4, 1, 28, 28, device=DEVICE) * 80
    tried("fast", at, lambda: K.sampling.sample_dpm_fast(denoiser, noise, 0.01, 80, TAKEN, disable=True))
    step()
    tried("adaptive", at, lambda: K.sampling.sample_dpm_adaptive(denoiser, noise, 0.01, 80, disable=True, rtol=1.0, atol=1.0))
    step()


class Steps(torch.nn.Module):
    """Tells the noise of a step, as models of a thousand steps do."""

    def forward(self, x, t, **_):
        return plain(x, (t.float() + 1) / 10)


kept = torch.linspace(0.9999, 0.98, 1000, device=DEVICE).cumprod(0)
for at in range(4):
    old = K.external.DiscreteEpsDDPMDenoiser(Steps(), kept, quantize=at % 2 == 1).to(DEVICE)
    K.sampling.sample_euler(old, torch.randn(4, 1, 28, 28, device=DEVICE) * old.sigma_max, old.get_sigmas(TAKEN), disable=True)
    old.loss(torch.randn(4, 1, 28, 28, device=DEVICE), torch.randn(4, 1, 28, 28, device=DEVICE), old.sigmas[[9, 99, 500, 900]]).mean().backward()
    step()
