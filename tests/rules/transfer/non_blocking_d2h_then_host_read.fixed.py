# doc: Predictions that are read before they arrive
@torch.no_grad()
def predict(model, loader):
    results = []
    for x in loader:
        scores = model(x.cuda())
        host = scores.softmax(-1).to("cpu")
        results.append(host.argmax(-1))
    return results


# case: every kind of read
def reads(x: torch.Tensor, y: torch.Tensor, threshold):
    a = x.to("cpu")
    total = a.detach().sum()
    b = y.to(torch.device("cpu"), torch.float32)
    print(b.shape, b)
    c = x.to("cpu")
    d = c[0] + 1
    e = x.to(device="cpu")
    rows = np.array(e)
    f = x.to("cpu").tolist()
    g = x.to("cpu")
    if (g > threshold).any():
        return total, d, rows, f
    return None


# case: into page-locked memory of one's own
def staged(model, x: torch.Tensor, n: int):
    host = torch.empty(n, pin_memory=True)
    out = model(x.cuda()).cuda()
    host.copy_(out)
    return host.numpy().mean()


# case: over several lines
def spread(x: torch.Tensor):
    # to be saved
    host = x.cuda().to(
        "cpu",
    )
    torch.save(host, "x.pt")


# case: each item of a loop comes back and is read at once
def offload(parts):
    rows = []
    for part in parts:
        row = part.to("cpu")
        rows.append(row.numpy().copy())
    return rows


# case: read on the way into a call that knows nothing of the GPU
def keep(write, scores: torch.Tensor):
    host = scores.cuda().sigmoid().to("cpu")
    write("scores", torch.clamp(host, 0, 1))


# case: what is done with the array reads it
def average(x: torch.Tensor):
    array = x.cuda().to("cpu").numpy()
    return array.mean()
