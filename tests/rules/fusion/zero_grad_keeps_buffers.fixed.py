# doc: A loop over the parameters clears their gradients
def train(model: nn.Module, dataset, lr):
    model.cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, fused=True)
    for images, labels in DataLoader(dataset, batch_size=64, shuffle=True):
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter.grad = None
        loss = F.cross_entropy(model(images.cuda()), labels.cuda())
        loss.backward()
        optimizer.step()


# case: the flag, by name and by place, of an optimizer and of a model
def train(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()
        optimizer.step()
        model.zero_grad()


# case: through `.data`, with `fill_`, by name, from the groups of an optimizer
def train(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    for x, y in loader:
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()
        optimizer.step()
        for name, p in model.named_parameters():
            p.grad = None
        for p in model.parameters():
            p.grad.detach_()
            p.grad = None


# case: a function that each step calls
def clear(model: nn.Module):
    for p in model.parameters():
        if p.grad is None:
            continue
        p.grad = None


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
                    p.grad = None
        model(x.cuda()).sum().backward()
        optimizer.step()


# case: the parameters are a list of one's own
class Optimizer:
    def __init__(self, parameters):
        self.parameters = list(parameters)

    def zero_grad(self):
        for p in self.parameters:
            if p.grad is not None:
                p.grad = None


def train(model: nn.Module, loader):
    optimizer = Optimizer(model.cuda().parameters())
    for x in loader:
        optimizer.zero_grad()
        model(x.cuda()).sum().backward()
