"""Logs the loss where somebody reads that level."""

import logging

import torch
from torch import nn

logger = logging.getLogger(__name__)


def run():
    torch.manual_seed(11)
    model = nn.Linear(4, 2).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, fused=True)
    losses = []
    for _ in range(5):
        loss = model(torch.randn(9, 4, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if logger.isEnabledFor(logging.DEBUG):
            logger.debug(f"loss {loss.item():.4f}")
        losses.append(loss.detach())
    return torch.stack(losses)
