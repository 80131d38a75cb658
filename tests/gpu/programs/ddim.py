"""ermongroup/ddim at e8df66cf02e457719930748b5c26e37e3126dfdd"""

from types import SimpleNamespace as Space

import torch

stand_in(
    "datasets", get_dataset=None, data_transform=lambda config, x: 2 * x - 1, inverse_data_transform=lambda config, x: x
)
stand_in("requests", "torchvision", "torchvision.utils")
from runners import diffusion

config = Space(
    device=torch.device(DEVICE),
    data=Space(image_size=16, channels=3, num_workers=0, dataset="CIFAR10"),
    model=Space(
        type="simple",
        in_channels=3,
        out_ch=3,
        ch=32,
        ch_mult=(1, 2),
        num_res_blocks=1,
        attn_resolutions=(8,),
        dropout=0.1,
        resamp_with_conv=True,
        var_type="fixedlarge",
        ema=True,
        ema_rate=0.99,
    ),
    diffusion=Space(beta_schedule="linear", beta_start=1e-4, beta_end=0.02, num_diffusion_timesteps=50),
    training=Space(batch_size=8, n_epochs=2, n_iters=100, snapshot_freq=1000, validation_freq=1000),
    sampling=Space(batch_size=4, last_only=True),
    optim=Space(optimizer="Adam", lr=2e-4, weight_decay=0.0, beta1=0.9, amsgrad=False, eps=1e-8, grad_clip=1.0),
    tb_logger=Writer(),
)
args = Space(resume_training=False, log_path=".", eta=0.0, sample_type="generalized", skip_type="uniform", timesteps=5)
data = torch.utils.data.TensorDataset(torch.rand(24, 3, 16, 16), torch.zeros(24))
diffusion.get_dataset = lambda args, config: (data, data)
runner = diffusion.Diffusion(args, config)
runner.train()
model = diffusion.Model(config).to(DEVICE).eval()
for kind in ("generalized", "ddpm_noisy"):
    args.sample_type = kind
    for _ in range(2):
        runner.sample_image(torch.randn(4, 3, 16, 16, device=DEVICE), model)
        step()
