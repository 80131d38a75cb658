"""torchjd 0.18.0"""

import torch
from torch import nn
from torchjd import aggregation, autojac, scalarization

shared, heads = nn.Sequential(nn.Linear(6, 12), nn.ReLU()).to(DEVICE), nn.ModuleList(nn.Linear(12, 1) for _ in range(3)).to(DEVICE)


more = {"Krum": {"n_byzantine": 0, "n_selected": 1}, "NashMTL": {"n_tasks": 3}, "TrimmedMean": {"trim_number": 1}, "Constant": {"weights": torch.ones(3, device=DEVICE)}, "CAGrad": {"c": 0.5}}
kinds = [name for name in dir(aggregation) if isinstance(getattr(aggregation, name), type) and not name.endswith("Weighting") and name not in ("Aggregator",)]
for at in range(3):
    for name in kinds:

        def combined():
            how = getattr(aggregation, name)(**more.get(name, {}))
            how(torch.randn(3, 20, device=DEVICE))
            how(torch.randn(3, 20, device=DEVICE))

        tried(name, at, combined)
    for how in ("UPGrad", "MGDA", "Mean"):

        def stepped():
            x, y = torch.randn(8, 6, device=DEVICE), torch.randn(8, 1, device=DEVICE)
            told = shared(x)
            losses = [nn.functional.mse_loss(head(told), y) for head in heads]
            autojac.mtl_backward(losses, features=told)
            autojac.jac_to_grad(shared.parameters(), getattr(aggregation, how)())

        def backward():
            x, y = torch.randn(8, 6, device=DEVICE), torch.randn(8, 1, device=DEVICE)
            told = shared(x)
            autojac.backward([nn.functional.mse_loss(head(told), y) for head in heads])
            autojac.jac_to_grad(shared.parameters(), getattr(aggregation, how)())

        tried(f"step {how}", at, stepped)
        tried(f"back {how}", at, backward)
    step()
