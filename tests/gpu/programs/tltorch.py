"""tensorly-torch 0.5.0"""

import sys

import torch

sys.path.append(str(FOLDER.parent / "also"))
import tltorch

x = torch.randn(8, 16, device=DEVICE)
for kind in ("cp", "tucker", "blocktt"):
    for how in ("reconstructed", "factorized"):
        line = tltorch.FactorizedLinear((4, 4), (2, 4), factorization=kind, rank="same", implementation=how).to(DEVICE)
        words = tltorch.FactorizedEmbedding(64, 16, factorization=kind).to(DEVICE)
        optimizer = torch.optim.Adam([*line.parameters(), *words.parameters()])
        for _ in range(3):
            optimizer.zero_grad()
            (line(x).sum() + words(torch.randint(0, 64, (8,), device=DEVICE)).sum()).backward()
            optimizer.step()
for kind in ("cp", "tucker", "tt"):
    for how in ("reconstructed", "factorized"):
        conv = tltorch.FactorizedConv(8, 8, 3, order=2, padding=1, rank=0.5, factorization=kind, implementation=how)
        conv = conv.to(DEVICE)
        for _ in range(3):
            conv(torch.randn(2, 8, 8, 8, device=DEVICE)).sum().backward()
            step()
made = tltorch.FactorizedConv.from_conv(torch.nn.Conv2d(8, 8, 3).to(DEVICE), rank=0.5, factorization="cp")
regress = tltorch.TRL((4, 4), (3,), rank=(4, 4, 3), factorization="tucker").to(DEVICE)
contract = tltorch.TCL((4, 4), rank=(2, 2)).to(DEVICE)
weights = tltorch.FactorizedTensor.new((4, 4, 4), rank=0.5, factorization="tucker", device=DEVICE).normal_()
weights = tltorch.tensor_hooks.tensor_dropout(weights, p=0.3)
for _ in range(3):
    given = torch.randn(8, 4, 4, device=DEVICE)
    (regress(given).sum() + contract(given).sum()).backward()
    weights().to_tensor() if callable(weights) else weights.to_tensor()
    weights[1:3]
    step()
lasso = tltorch.tensor_hooks.tensor_lasso("CP", penalty=0.1)
hooked = tltorch.FactorizedTensor.new((4, 4, 4), rank=0.5, factorization="cp").normal_().to(DEVICE)
lasso.apply(hooked)
for _ in range(3):
    lasso.reset()
    hooked.to_tensor()
    lasso.loss
    step()
