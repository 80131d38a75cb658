"""sthalles/SimCLR at 1848fc934ad844ae630e6c452300433fe99acfd9"""

from types import SimpleNamespace

import torch

stand_in("yaml")
from simclr import SimCLR

args = SimpleNamespace(
    device=torch.device(DEVICE),
    batch_size=16,
    n_views=2,
    temperature=0.07,
    fp16_precision=DEVICE == "cuda",
    epochs=2,
    disable_cuda=False,
    log_every_n_steps=2,
    arch="small",
)
model = torch.nn.Sequential(
    torch.nn.Conv2d(3, 16, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(3136, 64)
).to(DEVICE)
optimizer = torch.optim.Adam(model.parameters(), 3e-4)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=4)
loader = [([torch.randn(16, 3, 16, 16), torch.randn(16, 3, 16, 16)], 0) for _ in range(4)]
SimCLR(model=model, optimizer=optimizer, scheduler=scheduler, args=args).train(loader)
