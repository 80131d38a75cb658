import torch
import torch.nn.functional as F
from torch import nn


# doc: A training in float32
def train(model: nn.Module, optimizer, loader, device: torch.device):
    for x, y in loader:
        loss = F.cross_entropy(model(x.to(device)), y.to(device))
        loss.backward()  # expect: TPL303 @ loss.backward()
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    net = nn.Sequential(nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 10)).cuda()
    train(net, torch.optim.SGD(net.parameters()), [], torch.device("cuda"))


# ok: in half precision
def half(model: nn.Module, optimizer, loader, device: torch.device):
    for x in loader:
        with torch.autocast("cuda", torch.bfloat16):
            loss = model(x.to(device)).sum()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    half(nn.Linear(1024, 1024).cuda(), None, [], torch.device("cuda"))


# ok: a library, whose callers decide
def library(model: nn.Module, optimizer, loader, device: torch.device):
    head = nn.Linear(8, 8).cuda()
    for x in loader:
        head(model(x.to(device))).sum().backward()
        optimizer.step()


# ok: digits are wanted
def exact(model: nn.Module, optimizer, loader, device: torch.device):
    for x in loader:
        model(x.to(device, torch.float64)).sum().backward()
        optimizer.step()


if __name__ == "__main__":
    exact(nn.Linear(8, 8).double().cuda(), None, [], torch.device("cuda"))


# ok: it runs once
def once(x: torch.Tensor):
    nn.Linear(8, 8).cuda()(x).sum().backward()


if __name__ == "__main__":
    once(torch.rand(8, 8, device="cuda"))


# ok: its loss raises an error under autocast
def adversarial(model: nn.Module, optimizer, loader, device: torch.device):
    judge = nn.BCELoss()
    for x, y in loader:
        judge(model(x.to(device)), y.to(device)).backward()
        optimizer.step()


if __name__ == "__main__":
    adversarial(nn.Linear(8, 8).cuda(), None, [], torch.device("cuda"))
