"""yang-song/score_sde_pytorch at cb1f359f4aadf0ff9a5e122fe8fffc9451fd6e44"""

from types import ModuleType, SimpleNamespace
import sys

import torch

stand_in("scipy", "scipy.integrate", "ml_collections")
op = ModuleType("op")  # compiled on the fly, for another model
op.upfirdn2d = None
sys.modules["op"] = op
import losses
import sampling
import sde_lib
from models import ddpm, utils
from models.ema import ExponentialMovingAverage

part = SimpleNamespace
config = part(
    model=part(
        name="ddpm", nf=32, ch_mult=(1, 1), num_res_blocks=1, attn_resolutions=(8,), dropout=0.1, resamp_with_conv=True,
        conditional=True, scale_by_sigma=False, nonlinearity="swish", normalization="GroupNorm", ema_rate=0.99,
        num_scales=10, sigma_min=0.01, sigma_max=50, beta_min=0.1, beta_max=20.0,
    ),
    data=part(image_size=16, num_channels=3, centered=True),
    training=part(continuous=True, sde="vpsde"),
    optim=part(optimizer="Adam", lr=2e-4, beta1=0.9, eps=1e-8, weight_decay=0, warmup=5, grad_clip=1.0),
    sampling=part(
        method="pc", predictor="euler_maruyama", corrector="langevin", snr=0.16, n_steps_each=1, noise_removal=True,
        probability_flow=False,
    ),
    device=DEVICE,
)
for name, sde in (("vpsde", sde_lib.VPSDE(N=3)), ("vesde", sde_lib.VESDE(N=3)), ("subvpsde", sde_lib.subVPSDE(N=3))):
    model = utils.create_model(config)
    ema = ExponentialMovingAverage(model.parameters(), decay=0.99)
    optimizer = losses.get_optimizer(config, model.parameters())
    state = {"optimizer": optimizer, "model": model, "ema": ema, "step": 0}
    optimize = losses.optimization_manager(config)
    for continuous in (True, False) if name != "subvpsde" else (True,):
        train = losses.get_step_fn(sde, True, optimize, continuous=continuous)
        check = losses.get_step_fn(sde, False, optimize, continuous=continuous)
        for _ in range(3):
            train(state, torch.rand(2, 3, 16, 16, device=DEVICE)).item()
            check(state, torch.rand(2, 3, 16, 16, device=DEVICE))
    for corrector in ("langevin", "ald") if name != "subvpsde" else ("none",):
        config.sampling.corrector = corrector
        for predictor in ("euler_maruyama", "reverse_diffusion", "ancestral_sampling"):
            if (name, predictor) == ("subvpsde", "ancestral_sampling"):
                continue
            config.sampling.predictor = predictor
            sampling.get_sampling_fn(config, sde, (2, 3, 16, 16), lambda x: x, 1e-3)(model)
            step()
