"""ema-pytorch 0.8.3"""

import torch
from ema_pytorch import EMA, PostHocEMA
from torch import nn

for more in ({}, {"use_foreach": True, "power": 0.9}, {"update_model_with_ema_every": 2, "allow_different_devices": True}, {"coerce_dtype": True, "lazy_init_ema": True}):
    model = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Linear(8, 2)).to(DEVICE)
    averaged = EMA(model, beta=0.99, update_after_step=1, update_every=1, **more).to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(5):
        optimizer.zero_grad()
        model(torch.randn(6, 8, device=DEVICE)).square().mean().backward()
        optimizer.step()
        averaged.update()
        averaged(torch.randn(6, 8, device=DEVICE))
model = nn.Linear(8, 2).to(DEVICE)
averaged = PostHocEMA(model, sigma_rels=(0.05, 0.28), update_every=1, checkpoint_every_num_steps=2, checkpoint_folder="saved").to(DEVICE)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(6):
    optimizer.zero_grad()
    model(torch.randn(6, 8, device=DEVICE)).square().mean().backward()
    optimizer.step()
    averaged.update()
for _ in range(2):
    averaged.synthesize_ema_model(sigma_rel=0.15)
    step()
