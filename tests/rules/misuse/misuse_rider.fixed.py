# doc: The loader instead of the batch, and a device that is none
def train(model: nn.Module, data, optimizer):
    loader = DataLoader(data, batch_size=64)
    model.to("cuda")
    for batch, labels in loader:
        loss = nn.functional.cross_entropy(model(loader), labels)
        loss.backward()
        optimizer.step()


# case: with a count, other devices, an old name
def evaluate(model: nn.Module, data, x: torch.Tensor):
    loader = DataLoader(data)
    device = torch.device("cuda:0")
    for step, batch in enumerate(loader):
        model(loader)
    x = x.to("cuda", non_blocking=True)
    torch.cuda.reset_peak_memory_stats()
    reset_max_memory_allocated()
    return x, device
