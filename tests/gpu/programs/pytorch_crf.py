"""pytorch-crf 0.7.2"""

import torch
from torchcrf import CRF

model = CRF(5, batch_first=True).to(DEVICE)
for reduction in ("sum", "mean", "token_mean", "none"):
    for _ in range(2):
        x = torch.randn(4, 12, 5, device=DEVICE, requires_grad=True)
        tags = torch.randint(0, 5, (4, 12), device=DEVICE)
        mask = torch.ones(4, 12, dtype=torch.bool, device=DEVICE)
        mask[2:, 8:] = False
        (-model(x, tags, mask, reduction=reduction).sum()).backward()
        model.decode(x, mask)
        model.decode(x)
        step()
