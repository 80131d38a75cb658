# doc: A training loop that keeps its loss and its accuracy
def train(model, loader, optimizer, epochs):
    model.cuda()
    for epoch in range(epochs):
        total_loss, correct, seen = 0.0, 0, 0
        for x, y in loader:
            x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
            logits = model(x)
            loss = F.cross_entropy(logits, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total_loss += loss.detach().double() * x.size(0)
            correct += (logits.argmax(dim=1) == y).sum()
            seen += x.size(0)
        total_loss = float(total_loss)
        correct = int(correct)
        total_loss /= seen
        print(epoch, total_loss, correct / seen)


# case: an evaluation, without gradients, over several lines
def evaluate(model, loader, device: torch.device):
    model.eval()
    total = 0
    hits = 0
    with torch.no_grad():
        for images, labels in loader:
            images, labels = images.to(device), labels.to(device)
            output = model(images)
            total += F.cross_entropy(output, labels, reduction="sum").double()
            hits += (output.argmax(1) == labels).sum()
        total = float(total)
        hits = int(hits)
    return total / len(loader.dataset), hits


# case: a mean over the whole run, divided at each step; `float()` reads as well
def fit(model, loader, optimizer, epochs):
    model.cuda()
    mean = 0
    for _ in range(epochs):
        for x in loader:
            loss = model(x.cuda()).square().mean()
            loss.backward()
            optimizer.step()
            mean += loss.detach().double() / len(loader)
    mean = float(mean)
    return mean


# case: what is moved or detached first
def moved(model, loader, optimizer, criterion):
    model.cuda()
    first = second = 0.0
    for x, y in loader:
        loss = criterion(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
        first += loss.detach().double()
        second += loss.detach().double()
    first = float(first)
    second = float(second)
    return first, second


# case: what is called with a model tests that, whatever it asserts
def test(model, loader):
    hits = 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x.cuda(non_blocking=True))
            assert not out.requires_grad
            hits += (out.argmax(1) == y.cuda(non_blocking=True)).sum()
        hits = int(hits)
    return hits


def tested(model, loaders: list):
    return [test(model.cuda(), loader) for loader in loaders]
