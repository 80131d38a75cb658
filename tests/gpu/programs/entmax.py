"""entmax 1.3"""

import entmax
import torch

for name in ("sparsemax", "entmax15", "sparsemax_bisect", "entmax_bisect", "budget_bisect", "normmax_bisect"):
    call = getattr(entmax, name, None)
    for given in ({"dim": -1}, {"dim": -1, "k": 3}):
        for _ in range(3):
            if call is None:
                continue
            x = torch.randn(16, 40, device=DEVICE, requires_grad=True)
            try:
                call(x, **given).pow(2).sum().backward()
            except TypeError:
                pass
            step()
for name in ("SparsemaxLoss", "Entmax15Loss", "SparsemaxBisectLoss", "EntmaxBisectLoss"):
    loss = getattr(entmax, name)()
    for _ in range(3):
        x = torch.randn(16, 40, device=DEVICE, requires_grad=True)
        loss(x, torch.randint(0, 40, (16,), device=DEVICE)).sum().backward()
        step()
