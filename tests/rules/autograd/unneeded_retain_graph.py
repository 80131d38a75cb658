import torch
import torch.nn.functional as F
from torch import nn


# doc: One loss, one backward pass
def train(model: nn.Module, loader, optimizer: torch.optim.Optimizer, device: torch.device):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)  # expect: TPL405 @ loss.backward(retain_graph=True)
        optimizer.step()


# case: with a scaler, a gradient that is given, and a total that keeps numbers
def scaled(model: nn.Module, loader, optimizer: torch.optim.Optimizer, scaler: torch.amp.GradScaler):
    total = 0.0
    for x, _ in loader:
        out = model(x.cuda())
        scaler.scale(out).backward(torch.ones_like(out), retain_graph=True)  # expect: TPL405 @ scaler.scale(out).backward(torch.ones_like(out), retain_graph=True)
        scaler.step(optimizer)
        total += float(out.detach().sum())  # expect: TPL101 @ float(out.detach().sum())


# ok: two losses share a graph
def two(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    for x, y in loader:
        out = model(x.cuda())
        F.cross_entropy(out, y.cuda()).backward(retain_graph=True)
        out.square().mean().backward()
        optimizer.step()


# ok: a gradient of gradients
def penalty(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    for x, y in loader:
        x = x.cuda().requires_grad_()
        out = model(x)
        F.cross_entropy(out, y.cuda()).backward(retain_graph=True)
        torch.autograd.grad(out.sum(), x)
        optimizer.step()


# ok: the graph is made before the loop
def often(model: nn.Module, x: torch.Tensor, targets, optimizer: torch.optim.Optimizer):
    out = model(x.cuda())
    for y in targets:
        F.mse_loss(out, y.cuda()).backward(retain_graph=True)
    optimizer.step()


# ok: what is handed in may have a graph
def given(out: torch.Tensor, targets, optimizer: torch.optim.Optimizer):
    for y in targets:
        F.mse_loss(out.cuda(), y.cuda()).backward(retain_graph=True)
    optimizer.step()


# ok: a state goes from step to step
def recurrent(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    state = None
    for x, y in loader:
        out, state = model(x.cuda(), state)
        F.mse_loss(out, y.cuda()).backward(retain_graph=True)
        optimizer.step()


# ok: a module that keeps its state
class Keeps(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(8, 8)
        self.state = None

    def forward(self, x):
        self.state = self.cell(x, self.state)
        return self.state


def stateful(loader):
    model = Keeps().cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for x in loader:
        model(x.cuda()).sum().backward(retain_graph=True)
        optimizer.step()


# ok: losses are added up, and go through backward later
def meta(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    losses = []
    for x, y in loader:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        losses.append(loss)
        sum(losses).backward(retain_graph=True)
    optimizer.step()


# ok: a method of its own does the second pass
class Trainer:
    def __init__(self, model: nn.Module, critic: nn.Module, optimizer):
        self.model, self.critic, self.optimizer = model, critic, optimizer

    def fit(self, loader):
        for x in loader:
            fake = self.model(x.cuda())
            fake.mean().backward(retain_graph=True)
            self.judge(fake)

    def judge(self, fake):
        self.critic(fake).mean().backward()
