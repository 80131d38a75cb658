# doc: One loss, one backward pass
def train(model: nn.Module, loader, optimizer: torch.optim.Optimizer, device: torch.device):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# case: with a scaler, a gradient that is given, and a total that keeps numbers
def scaled(model: nn.Module, loader, optimizer: torch.optim.Optimizer, scaler: torch.amp.GradScaler):
    total = 0.0
    for x, _ in loader:
        out = model(x.cuda())
        scaler.scale(out).backward(torch.ones_like(out))
        scaler.step(optimizer)
        total += float(out.detach().sum())
