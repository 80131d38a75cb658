"""A block with attention whose weights nobody looks at."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.out = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor):
        mixed, _ = self.attention(x, x, x)  # planted: TPL603
        return self.out(mixed)


def run():
    torch.manual_seed(10)
    model = Block().cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)  # planted: TPL605
    losses = []
    for _ in range(4):
        loss = model(torch.randn(2, 5, 8, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses)
