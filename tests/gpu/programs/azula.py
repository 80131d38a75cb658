"""azula 0.11.1"""

import torch
from torch import nn

from azula import denoise, guidance, noise, sample
from azula.linalg import covariance, solve
from azula.nn import dit, unet, vit


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(7, 32), nn.SiLU(), nn.Linear(32, 6))

    def forward(self, x, t, label=None):
        return self.body(torch.cat([x, t.reshape(-1, 1).expand(x.shape[0], 1)], dim=-1))


schedules = (noise.VPSchedule(), noise.VESchedule(), noise.CosineSchedule(), noise.RectifiedSchedule(), noise.DecaySchedule())
denoisers = [made(Net(), schedule).to(DEVICE) for made in (denoise.SimpleDenoiser, denoise.KarrasDenoiser) for schedule in schedules]
optimizers = [torch.optim.Adam(one.parameters(), lr=1e-3) for one in denoisers]
for at in range(3):
    x = torch.randn(8, 6, device=DEVICE)
    for denoiser, optimizer in zip(denoisers, optimizers):

        def trained():
            denoiser.train()
            loss = denoiser.loss(x, torch.rand(8, device=DEVICE))
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()

        tried("loss", at, trained)
    denoiser = denoisers[5].eval()
    samplers = [getattr(sample, name)(denoiser, steps=4, silent=True, device=DEVICE) for name in ("DDPMSampler", "DDIMSampler", "EulerSampler", "HeunSampler", "ItoSampler", "zABSampler", "vABSampler", "zEABSampler", "xEABSampler", "REABSampler", "PCSampler")]
    for sampler in samplers:

        def sampled():
            with torch.no_grad():
                sampler(sampler.init((4, 6)).to(DEVICE))

        tried(type(sampler).__name__, at, sampled)
    y = torch.randn(4, 3, device=DEVICE)
    seen = lambda x: x[:, :3]
    var = torch.tensor(0.01, device=DEVICE)
    noisy = covariance.IsotropicCovariance(torch.tensor(0.01, device=DEVICE))
    for name, made in (
        ("MMPS", lambda: guidance.MMPSDenoiser(denoiser, y, seen, noisy, iterations=2)),
        ("TMPD", lambda: guidance.TMPDenoiser(denoiser, y, seen, var)),
        ("DiffPIR", lambda: guidance.DiffPIRDenoiser(denoiser, y, seen, var)),
        ("JFPS", lambda: guidance.JFPSDenoiser(denoiser, y, seen, noisy, covariance.IsotropicCovariance(torch.ones((), device=DEVICE)))),
    ):

        def guided():
            sampler = sample.DDIMSampler(made(), steps=3, silent=True, device=DEVICE)
            sampler(torch.randn(4, 6, device=DEVICE))

        tried(name, at, guided)
    for name, made in (
        ("DPS", lambda: guidance.DPSSampler(denoiser, y=y, A=seen, steps=3, silent=True, device=DEVICE)),
        ("PGDM", lambda: guidance.PGDMSampler(denoiser, y=y, A=seen, A_inv=lambda v: torch.cat([v, torch.zeros_like(v)], -1), steps=3, silent=True, device=DEVICE)),
        ("RePaint", lambda: guidance.RePaintSampler(denoiser, y=torch.randn(4, 6, device=DEVICE), mask=torch.rand(4, 6, device=DEVICE) > 0.5, steps=3, silent=True, device=DEVICE)),
        ("TDS", lambda: guidance.TDSSampler(denoiser, twist=lambda x, t: -(x[:, :3] - y).square().sum(-1), steps=3, silent=True, device=DEVICE)),
    ):
        tried(name, at, lambda: made()(torch.randn(4, 6, device=DEVICE)))

    def covariances():
        data = torch.randn(40, 6, device=DEVICE)
        for made in (covariance.IsotropicCovariance, covariance.DiagonalCovariance, covariance.FullCovariance, covariance.DPLRCovariance):
            try:
                found = made.from_data(data) if made is not covariance.DPLRCovariance else made.from_data(data, rank=2)
                exact = denoise.GaussianDenoiser(data.mean(0), found, schedules[0]).to(DEVICE)
                exact(torch.randn(4, 6, device=DEVICE), torch.rand((), device=DEVICE))
                (found.inv @ data, found.logdet, found.color(data))
            except Exception as no:
                if at == 0:
                    print(made.__name__, type(no).__name__, str(no)[:150])

    tried("covariances", at, covariances)

    def solved():
        a = torch.randn(6, 6, device=DEVICE)
        a = a @ a.T + torch.eye(6, device=DEVICE)
        for name in ("cg", "gmres", "bicgstab"):
            if hasattr(solve, name):
                getattr(solve, name)(lambda v: v @ a, torch.randn(4, 6, device=DEVICE), iterations=4)

    tried("solved", at, solved)

    def nets():
        images, mod = torch.randn(2, 3, 16, 16, device=DEVICE), torch.randn(2, 8, device=DEVICE)
        for net in (unet.UNet(3, 3, hid_channels=(8, 16), hid_blocks=(1, 1), mod_features=8), vit.ViT(3, 3, mod_features=8, hid_channels=16, hid_blocks=1, attention_heads=2, patch_size=4)):
            net.to(DEVICE)(images, mod).sum().backward()

    tried("nets", at, nets)
    step()
