"""Train a network to guess depth; masks in the model and in the loss make the host wait at every step."""

import torch
from torch import Tensor, nn

DEVICE = "cuda"


class DepthNet(nn.Module):
    def __init__(self, width: int = 8):
        super().__init__()
        self.body = nn.Conv2d(3, width, 3, padding=1)
        self.head = nn.Conv2d(width, 1, 1)

    def forward(self, images: Tensor) -> Tensor:
        hidden = self.body(images) * 2
        low = hidden < 0
        hidden[low] = hidden[low] * 0.1
        hidden[hidden > 3] -= 1.5
        return self.head(hidden).squeeze(1)


class DepthLoss(nn.Module):
    def forward(self, guess: Tensor, depth: Tensor) -> Tensor:
        depth = depth * 1.0
        broken = torch.isnan(depth)
        if broken.any():
            depth[broken] = 0.0
        error = (guess - depth).abs()
        near = error < 1.0
        small = error[near].pow(2).sum()
        far = error[~near].mean()
        wide = torch.log(error[error > 0.5]).sum()
        return small / len(error[near]) + 0.1 * far + 0.01 * wide


def train(batches: list[tuple[Tensor, Tensor]]) -> list[Tensor]:
    model = DepthNet().to(DEVICE)
    criterion = DepthLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for images, depth in batches:
        images, depth = images.to(DEVICE, non_blocking=True), depth.to(DEVICE, non_blocking=True)
        loss = criterion(model(images), depth)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return losses
