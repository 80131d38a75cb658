import numpy as np
import torch


# doc: Predictions that are read before they arrive
@torch.no_grad()
def predict(model, loader):
    results = []
    for x in loader:
        scores = model(x.cuda())
        host = scores.softmax(-1).to("cpu", non_blocking=True)  # expect: TPL206 @ scores.softmax(-1).to("cpu", non_blocking=True)
        results.append(host.argmax(-1))
    return results


# case: every kind of read
def reads(x: torch.Tensor, y: torch.Tensor, threshold):
    a = x.to("cpu", non_blocking=True)  # expect: TPL206 @ x.to("cpu", non_blocking=True)
    total = a.detach().sum()
    b = y.to(torch.device("cpu"), torch.float32, non_blocking=True)  # expect: TPL206 @ y.to(torch.device("cpu"), torch.float32, non_blocking=True)
    print(b.shape, b)
    c = x.to("cpu", non_blocking=True)  # expect: TPL206 @ x.to("cpu", non_blocking=True)
    d = c[0] + 1
    e = x.to(device="cpu", non_blocking=True)  # expect: TPL206 @ x.to(device="cpu", non_blocking=True)
    rows = np.array(e)
    f = x.to("cpu", non_blocking=True).tolist()  # expect: TPL206 @ x.to("cpu", non_blocking=True)
    g = x.to("cpu", non_blocking=True)  # expect: TPL206 @ x.to("cpu", non_blocking=True)
    if (g > threshold).any():
        return total, d, rows, f
    return None


# case: into page-locked memory of one's own
def staged(model, x: torch.Tensor, n: int):
    host = torch.empty(n, pin_memory=True)
    out = model(x.cuda()).cuda()
    host.copy_(out, non_blocking=True)  # expect: TPL206 @ host.copy_(out, non_blocking=True)
    return host.numpy().mean()


# case: over several lines
def spread(x: torch.Tensor):
    host = x.cuda().to(  # expect: TPL206 @ x.cuda().to( "cpu", # to be saved non_blocking=True, )
        "cpu",  # to be saved
        non_blocking=True,
    )
    torch.save(host, "x.pt")


# ok: something waits first
def waited(x: torch.Tensor, y: torch.Tensor, stream: torch.cuda.Stream):
    a = x.to("cpu", non_blocking=True)
    torch.cuda.synchronize()
    b = y.to("cpu", non_blocking=True)
    stream.synchronize()
    c = x.to("cpu", non_blocking=True)
    done = torch.cuda.Event()
    done.record()
    done.synchronize()
    return a.numpy(), b.numpy(), c.numpy()


# ok: another read of the GPU waits for all that was queued before it
def followed(x: torch.Tensor):
    a = x.cuda().to("cpu", non_blocking=True)
    total = x.cuda().sum().item()
    return a.numpy() / total


# ok: only kept, handed on, or looked at from outside
def kept(x: torch.Tensor, store: dict, queue):
    a = x.to("cpu", non_blocking=True)
    store["a"] = a
    queue.put(a)
    store["shape"] = a.shape, a.dtype, a.device, a.size(0)
    back = a.to("cuda", non_blocking=True)
    return a, back


# ok: what is called between may wait
def unknown(x: torch.Tensor, engine):
    a = x.to("cpu", non_blocking=True)
    engine.finish()
    return a.numpy()


# ok: the host waits for the copy itself
def blocking(x: torch.Tensor, wait):
    a, b = x.to("cpu"), x.to("cpu", non_blocking=False)
    c = x.to("cpu", non_blocking=not wait)
    return a.numpy(), b.numpy(), c.numpy()


# ok: into memory that is not page-locked, and from the host: nothing goes on behind its back
def pageable(x: torch.Tensor, n: int):
    host = torch.empty(n)
    host.copy_(x.cuda(), non_blocking=True)
    here = torch.zeros(n).to("cpu", non_blocking=True)
    return host.numpy(), here.numpy()


# ok: to the GPU, where kernels are queued behind the copy
def up(x: torch.Tensor):
    a = x.to("cuda", non_blocking=True)
    return a.sum()


# ok: functions that are called so
def to(x, device, non_blocking=False):
    return x


def copy_(x, y, non_blocking=False):
    return y


def called(x: torch.Tensor):
    return to(x, "cpu", non_blocking=True).numpy(), copy_(x, x, non_blocking=True).numpy()


# missed: the copies go through a list
def listed(xs):
    hosts = [x.to("cpu", non_blocking=True) for x in xs]
    return [host.numpy() for host in hosts]


# case: each item of a loop comes back and is read at once
def offload(parts):
    rows = []
    for part in parts:
        row = part.to("cpu", non_blocking=True)  # expect: TPL206 @ part.to("cpu", non_blocking=True)
        rows.append(row.numpy().copy())
    return rows


# case: read on the way into a call that knows nothing of the GPU
def keep(write, scores: torch.Tensor):
    host = scores.cuda().sigmoid().to("cpu", non_blocking=True)  # expect: TPL206 @ scores.cuda().sigmoid().to("cpu", non_blocking=True)
    write("scores", torch.clamp(host, 0, 1))


# ok: an array of NumPy and a slice read nothing, and a result that is handed on is its caller's to wait for
def fetch(x: torch.Tensor, n: int):
    host = x.cuda().to("cpu", non_blocking=True)
    array = host.view(-1)[:n].numpy()
    return array, host[0], np.asarray(host)


# case: what is done with the array reads it
def average(x: torch.Tensor):
    array = x.cuda().to("cpu", non_blocking=True).numpy()  # expect: TPL206 @ x.cuda().to("cpu", non_blocking=True)
    return array.mean()


# ok: the one call in sight hands over what lies on the CPU
def _norm(values):
    host = values.to("cpu", non_blocking=True)
    return host.sum().item()


def report():
    return _norm(torch.zeros(3))


# case: on a stream of its own the copy is meant to go on, so there is no fix; what lacks is the wait
def beside(x: torch.Tensor, stream: torch.cuda.Stream):
    with torch.cuda.stream(stream):
        host = x.cuda().to("cpu", non_blocking=True)  # expect: TPL206 @ x.cuda().to("cpu", non_blocking=True)
    return host.sum()
