"""A training loop with two slow habits, for the README to show."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


def train(model: nn.Module, data: Dataset, optimizer: torch.optim.Optimizer) -> float:
    loader, total = DataLoader(data, 64), 0.0
    model.cuda()
    for images, labels in loader:
        weights = torch.ones(10).cuda()
        loss = F.cross_entropy(model(images.cuda()), labels.cuda(), weight=weights)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)
