import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


# doc: Targets as NumPy makes them
def train(model: nn.Module, loader, optimizer, device: torch.device):
    for x in loader:
        noise = np.random.randn(64, 128)
        wanted = torch.from_numpy(noise).cuda()  # expect: TPL301 @ torch.from_numpy(noise).cuda()
        loss = F.l1_loss(model(x.cuda()), wanted)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


# case: by `to`, without waiting, and of arrays of zeros
def forms(model: nn.Module, loader, optimizer):
    for x in loader:
        weights = np.zeros((64, 128))
        a = torch.as_tensor(weights).to("cuda", non_blocking=True)  # expect: TPL301 @ torch.as_tensor(weights).to("cuda", non_blocking=True)
        b = torch.tensor(np.linspace(0, 1, 128)).to("cuda")  # expect: TPL301 @ torch.tensor(np.linspace(0, 1, 128)).to("cuda")
        (model(x.cuda()) * a + b).sum().backward()
        optimizer.step()


# ok: it was made float32, here or there
def cast(model: nn.Module, loader, optimizer):
    for x in loader:
        noise = np.random.randn(64, 128)
        a = torch.from_numpy(noise.astype(np.float32)).cuda()
        b = torch.from_numpy(noise).float().cuda()
        c = torch.from_numpy(noise).to("cuda", torch.float32)
        d = torch.from_numpy(noise).cuda().half()
        (model(x.cuda()) * a + b + c + d).sum().backward()
        optimizer.step()


# ok: of integers, one number, or what nobody knows
def others(model: nn.Module, loader, optimizer, array: np.ndarray):
    for x in loader:
        rows = torch.from_numpy(np.arange(64)).cuda()
        scale = torch.tensor(np.float64(0.5)).cuda()
        drawn = torch.tensor(np.random.rand()).cuda() + torch.tensor(np.random.uniform(0, 1)).cuda()
        (model(x.cuda())[rows] * scale * drawn + torch.from_numpy(array).cuda()).sum().backward()
        optimizer.step()


# ok: once, before the training, and every hundred steps
def seldom(model: nn.Module, loader, optimizer):
    start = torch.from_numpy(np.random.randn(64, 128)).cuda()
    for step, x in enumerate(loader):
        model(x.cuda() + start).sum().backward()
        optimizer.step()
        if step % 100 == 0:
            start = torch.from_numpy(np.random.randn(64, 128)).cuda()


# ok: it stays on the host
def on_host(model: nn.Module, loader, optimizer):
    for x in loader:
        noise = torch.from_numpy(np.random.randn(64, 128)).to("cpu")
        model(x.cuda()).sum().backward()
        optimizer.step()
    return noise
