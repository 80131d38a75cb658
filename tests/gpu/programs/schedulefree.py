"""schedulefree 1.4.1"""

import schedulefree
import torch

for name in (
    "AdamWScheduleFree",
    "SGDScheduleFree",
    "RAdamScheduleFree",
    "AdamWScheduleFreeReference",
    "SGDScheduleFreeReference",
    "AdamWScheduleFreePaper",
):
    if not hasattr(schedulefree, name):
        continue
    for more in ({}, {"foreach": False}):
        model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4)).to(DEVICE)
        try:
            optimizer = getattr(schedulefree, name)(model.parameters(), lr=1e-3, **more)
        except TypeError:
            continue
        optimizer.train()
        for _ in range(4):
            optimizer.zero_grad()
            model(torch.randn(8, 16, device=DEVICE)).sum().backward()
            optimizer.step()
        optimizer.eval()
        optimizer.train()
