# doc: The gradients are copied into buckets
def train(net: nn.Module, loader, rank):
    model = DDP(net.to(rank), device_ids=[rank], gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x.to(rank)), y.to(rank)).backward()
        optimizer.step()


# case: with other arguments
def wrap(model: nn.Module, rank):
    model = torch.nn.parallel.DistributedDataParallel(
        model.cuda(rank),
        device_ids=[rank],
        broadcast_buffers=False,
        gradient_as_bucket_view=True,
    )
    return model, torch.optim.SGD(model.parameters(), lr=0.1)


# case: gradients are let go by hand
def train(net: nn.Module, loader, rank):
    model = DDP(net.to(rank), device_ids=[rank], gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        for p in model.parameters():
            p.grad = None
        F.cross_entropy(model(x.to(rank)), y.to(rank)).backward()
        optimizer.step()
