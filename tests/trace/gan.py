"""A small GAN on synthetic images: two optimizers, a printed line every few steps."""
import sys
import torch
from torch import nn
STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 300
device = torch.device("cuda")
G = nn.Sequential(nn.ConvTranspose2d(64, 128, 4), nn.BatchNorm2d(128), nn.ReLU(), nn.ConvTranspose2d(128, 64, 4, 2, 1), nn.BatchNorm2d(64), nn.ReLU(), nn.ConvTranspose2d(64, 3, 4, 2, 1), nn.Tanh()).to(device)
D = nn.Sequential(nn.Conv2d(3, 64, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(64, 128, 4, 2, 1), nn.BatchNorm2d(128), nn.LeakyReLU(0.2), nn.Conv2d(128, 1, 4)).to(device)
opt_d = torch.optim.Adam(D.parameters(), 2e-4)
opt_g = torch.optim.Adam(G.parameters(), 2e-4)
bce = nn.BCEWithLogitsLoss()
losses = []
for i in range(STEPS):
    real = torch.rand(64, 3, 16, 16).to(device)
    z = torch.randn(64, 64, 1, 1, device=device)
    fake = G(z)
    d_real, d_fake = D(real).flatten(), D(fake.detach()).flatten()
    loss_d = bce(d_real, torch.ones_like(d_real)) + bce(d_fake, torch.zeros_like(d_fake))
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()
    out = D(fake).flatten()
    loss_g = bce(out, torch.ones_like(out))
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    losses.append((loss_d.item(), loss_g.item()))
    if i % 100 == 0:
        print(i, loss_d.item(), out.sigmoid().mean().item())
