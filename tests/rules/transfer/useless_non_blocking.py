import numpy as np
import torch
from torch import nn


# doc: An array is copied at each step
def train(model: nn.Module, loader, optimizer, device: torch.device):
    for x in loader:
        noise = torch.from_numpy(np.random.rand(64, 128).astype(np.float32))
        moved = noise.to("cuda", non_blocking=True)  # expect: TPL207 @ noise.to("cuda", non_blocking=True)
        model(x.cuda() + moved).sum().backward()
        optimizer.step()
        optimizer.zero_grad()


# case: by `cuda`
def forms(model: nn.Module, loader, optimizer):
    for x in loader:
        noise = torch.randn(64, 128)
        model(x.cuda() + noise.cuda(non_blocking=True)).sum().backward()  # expect: TPL207 @ noise.cuda(non_blocking=True)
        optimizer.step()


# ok: page-locked, blocking, or one number
def others(model: nn.Module, loader, optimizer):
    for x in loader:
        noise = torch.randn(64, 128)
        a, b = noise.pin_memory().cuda(non_blocking=True), noise.cuda()
        scale = torch.tensor(0.5).cuda(non_blocking=True)
        model(x.cuda() + a + b * scale).sum().backward()
        optimizer.step()


# ok: page-locked where somebody asks for it
def optional(model: nn.Module, loader, optimizer, pin: bool):
    for x in loader:
        noise = torch.randn(64, 128, pin_memory=pin)
        model(x.cuda() + noise.cuda(non_blocking=True)).sum().backward()
        optimizer.step()


# ok: nobody knows where it is, or it stays
def unknown(model: nn.Module, loader, optimizer):
    for x in loader:
        noise = torch.randn(64, 128).to("cpu", non_blocking=True)
        model(x.cuda(non_blocking=True)).sum().backward()
        optimizer.step()
    return noise


# ok: once, and every hundred steps
def seldom(model: nn.Module, loader, optimizer):
    start = torch.randn(64, 128).cuda(non_blocking=True)
    for step, x in enumerate(loader):
        model(x.cuda() + start).sum().backward()
        optimizer.step()
        if step % 100 == 0:
            start = torch.randn(64, 128).cuda(non_blocking=True)


# ok: batches of a loader, which whoever made it may have told to page-lock them
class Prefetcher:
    def __init__(self, loader, device: torch.device):
        self.loader, self.device = loader, device

    def __iter__(self):
        for x, y in self.loader:
            x = x.to(device=self.device, non_blocking=True)
            yield x, y.to(device=self.device, non_blocking=True)
