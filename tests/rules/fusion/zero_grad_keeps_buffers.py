import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader


# doc: A loop over the parameters clears their gradients
def train(model: nn.Module, dataset, lr):
    model.cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, fused=True)
    for images, labels in DataLoader(dataset, batch_size=64, shuffle=True):
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter.grad.zero_()  # expect: TPL606 @ parameter.grad.zero_()
        loss = F.cross_entropy(model(images.cuda()), labels.cuda())
        loss.backward()
        optimizer.step()


# case: the flag, by name and by place, of an optimizer and of a model
def train(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    for x, y in loader:
        optimizer.zero_grad(set_to_none=False)  # expect: TPL606 @ optimizer.zero_grad(set_to_none=False)
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()
        optimizer.step()
        model.zero_grad(False)  # expect: TPL606 @ model.zero_grad(False)


# case: through `.data`, with `fill_`, by name, from the groups of an optimizer
def train(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    for x, y in loader:
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()
        optimizer.step()
        for name, p in model.named_parameters():
            p.grad.data.zero_()  # expect: TPL606 @ p.grad.data.zero_()
        for p in model.parameters():
            p.grad.detach_()
            p.grad.fill_(0)  # expect: TPL606 @ p.grad.fill_(0)


# case: a function that each step calls
def clear(model: nn.Module):
    for p in model.parameters():
        if p.grad is None:
            continue
        p.grad.data.fill_(0.0)  # expect: TPL606 @ p.grad.data.fill_(0.0)


def train(model: nn.Module, loader, optimizer):
    for x in loader:
        clear(model)
        model(x.cuda()).sum().backward()
        optimizer.step()


# case: group by group
def train(model: nn.Module, loader, optimizer):
    for x in loader:
        for group in optimizer.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.grad.zero_()  # expect: TPL606 @ p.grad.zero_()
        model(x.cuda()).sum().backward()
        optimizer.step()


# ok: dropped, which is what it does by default
def train(model: nn.Module, loader, optimizer: torch.optim.Optimizer, keep):
    for x, y in loader:
        optimizer.zero_grad()
        model.zero_grad(set_to_none=True)
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=keep)


# ok: CUDA graphs need the gradients where they are
def capture(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    graph = torch.cuda.CUDAGraph()
    for x in loader:
        optimizer.zero_grad(set_to_none=False)
        with torch.cuda.graph(graph):
            model(x.cuda()).sum().backward()
        optimizer.step()


# ok: gradients are views of the buckets
def train(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    model = nn.parallel.DistributedDataParallel(model, gradient_as_bucket_view=True)
    for x in loader:
        model(x.cuda()).sum().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)


# ok: the gradients are read as tensors
def train(model: nn.Module, loader, lr):
    for x in loader:
        model(x.cuda()).sum().backward()
        with torch.no_grad():
            for p in model.parameters():
                p -= lr * p.grad
                p.grad.zero_()


# ok: gradients are summed by hand, which needs the zeros
class Evolution:
    def __init__(self, model: nn.Module, population):
        self.weights = dict(model.cuda().named_parameters())
        self.population = population
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def step(self, rewards: torch.Tensor):
        for weight in self.weights.values():
            weight.grad.zero_()
        for reward, individual in zip(rewards, self.population):
            for name, weight in self.weights.items():
                weight.grad += individual[name] * reward
        self.optimizer.step()


# ok: one tensor, whose gradient is looked at elsewhere
def attack(model: nn.Module, image: torch.Tensor, steps):
    image = image.cuda().requires_grad_()
    for _ in range(steps):
        model(image).sum().backward()
        image.grad.zero_()


# ok: other gradients, and other zeros
class Field:
    def zero_grad(self, set_to_none=False):
        self.grad = [0]


def train(model: nn.Module, loader, optimizer: torch.optim.Optimizer, field: Field):
    for x in loader:
        field.zero_grad(set_to_none=False)
        model(x.cuda()).sum().backward()
        optimizer.step()
        for p in model.parameters():
            p.data.zero_()
        for p in model.parameters():
            p.grad.fill_(1e-8)


# ok: whoever calls it chooses
class Sharded(nn.Module):
    def zero_grad(self, set_to_none: bool = True):
        for p in self.parameters():
            if set_to_none:
                p.grad = None
            elif p.grad is not None:
                p.grad.zero_()


def train(model: Sharded, loader, optimizer):
    for x in loader:
        model.zero_grad()
        model(x.cuda()).sum().backward()
        optimizer.step()


# ok: zeros are meant: some of the parameters are frozen
def train(model: nn.Module, head: nn.Module, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        head(model(x.cuda())).sum().backward()
        for p in model.parameters():
            p.grad.zero_()
        optimizer.step()
        for name, p in model.named_parameters():
            if "embedding" in name:
                p.grad.zero_()


# ok: once, before training
def start(model: nn.Module, optimizer: torch.optim.Optimizer):
    optimizer.zero_grad(set_to_none=False)
    for p in model.parameters():
        if p.grad is not None:
            p.grad.zero_()


# ok: a program that never leaves the CPU
def train(model, loader, optimizer: torch.optim.Optimizer):
    for x in loader:
        model(x).sum().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)


if __name__ == "__main__":
    layer = nn.Linear(4, 4)
    train(layer, DataLoader(range(8)), torch.optim.SGD(layer.parameters(), lr=0.1))


# case: the parameters are a list of one's own
class Optimizer:
    def __init__(self, parameters):
        self.parameters = list(parameters)

    def zero_grad(self):
        for p in self.parameters:
            if p.grad is not None:
                p.grad.zero_()  # expect: TPL606 @ p.grad.zero_()


def train(model: nn.Module, loader):
    optimizer = Optimizer(model.cuda().parameters())
    for x in loader:
        optimizer.zero_grad()
        model(x.cuda()).sum().backward()
