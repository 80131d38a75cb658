# doc: A state, and noise at every step
def denoise(model, steps, batch):
    state = torch.zeros(batch, 64, device="cuda")
    for t in range(steps):
        noise = torch.randn(batch, 64, device="cuda")
        state = model(state, t) + noise
    return state


# case: a simulation that imports its functions, and fills its grid before it moves it
from torch import (roll, zeros)

shape = (640, 640)


def laplacian(grid):
    return roll(grid, +1, 0) + roll(grid, -1, 0) + roll(grid, +1, 1) + roll(grid, -1, 1) - 4 * grid


def simulate(turns):
    grid = zeros(shape, device="cuda")

    low = int(shape[0] * 0.4)
    high = int(shape[0] * 0.5)
    grid[low:high, low:high] = 0.005  # the block in the middle

    for _ in range(turns):
        grid = grid + 0.1 * laplacian(grid)
    return grid


# case: all exact factories, under an alias
import torch as th

device = th.device("cuda")


def exact(n: int, m: int):
    a = th.zeros(n, m, device=device)
    b = th.ones((n,), dtype=th.bool, device="cuda:1")
    c = th.full((n, m), 0.5, device=0)
    d = th.eye(n, device=device)
    e = th.arange(n, device=device)
    f = th.arange(0, n, 2, device=device).unsqueeze(0)
    g = th.tril(th.ones(n, n, device=device)).view(1, 1, n, n)
    h = th.empty(n, m, device="cuda")[0]
    i = th.arange(n, device=device)[None, :, None]
    return a, b, c, d, e, f, g, h, i


# case: the dtype goes with the device, into the call where that changes nothing
def merged(n: int, x: torch.Tensor):
    a = torch.zeros(n, dtype=x.dtype, device=x.device)
    b = torch.ones(n, dtype=x.dtype, device=x.device)
    c = torch.zeros(n, dtype=torch.int32, device="cuda")
    d = torch.arange(n, device=x.device).to(torch.float32)
    e = torch.full((n,), 1, device=x.device).to(x.dtype)
    return a, b, c, d, e


# run: merged(3, anything("..."))
# run: merged(0, anything("..."))


# case: what a dtype makes of it
# run: cast(4, anything("..."))
# run: cast(0, floats("2"))
def cast(n: int, x: torch.Tensor):
    a = torch.full((n,), 2.7, device=x.device).to(torch.int16)
    b = torch.full((n,), 300, device="cuda").to(torch.uint8)
    c = torch.ones(n, n, device=x.device).tril().to(torch.bool)
    d = torch.eye(n, 2, device=x.device).t().to(x.dtype)
    e = torch.arange(n, 0, -1, device="cuda").flatten()
    f = torch.zeros(2, n, device=x.device).transpose(0, 1).to(x.dtype)
    return a, b, c, d, e, f


# case: floats of the last digit, and random numbers
def rounded(n: int, steps: int):
    a = torch.linspace(0, 1, steps, device="cuda")
    b = torch.arange(0, 1, 0.1, device="cuda")
    c = torch.hann_window(n, device="cuda")
    d = torch.rand(n, 3, device="cuda")
    e = torch.randint(0, n, (n,), device="cuda")
    f = torch.randperm(n, device="cuda")[:10]
    g = torch.zeros(n, requires_grad=True, device="cuda")
    return a, b, c, d, e, f, g


# case: in a module, on the device of its input, and over several lines
class Positions(nn.Module):
    def __init__(self, length):
        super().__init__()
        self.embedding = nn.Embedding(length, 64)

    def forward(self, x):
        places = (
            torch.arange(x.shape[1], device=x.device)
            .unsqueeze(0)
            .expand(x.shape[0], -1)
        )
        mask = torch.zeros(
            x.shape[0],
            x.shape[1],  # as long as the input
            device=x.device,
        )
        return self.embedding(places) * mask[..., None]


# case: filled in other ways, moved under another name
def filled(n: int, device: torch.device):
    mask = torch.ones(n, n, dtype=torch.bool, device=device)
    mask[0] = False
    mask[:, 2:].fill_(False)
    weight = torch.empty(n).fill_(0.5)
    prior = torch.zeros(n, device=device)
    prior.fill_(1 / n)
    return mask, weight, prior


# case: an argument that is only called a device makes a fix that a person looks at
def named(n, device):
    return torch.zeros(n, device=device)


# case: the copy does not block, and the host works on meanwhile; it was needless all the same
def overlapped(n: int):
    first = torch.randn(n, n, device="cuda")
    second = torch.randn(n, n)
    second = torch.cos(torch.sin(second)) @ second
    first += 10
    return first, second


# case: an object that forward makes anew at each call
class Causal:
    def __init__(self, length, device: torch.device):
        self.mask = torch.ones(length, length, dtype=torch.bool, device=device)


class Masked(nn.Module):
    def forward(self, x):
        return x * Causal(x.shape[1], x.device).mask


# case: a generator goes on at each step
def batches(rows):
    while True:
        yield torch.randint(0, 2, (rows, 8), device="cuda")


endless = batches(4)


def drawn(turns, rows):
    for _ in range(turns):
        x = torch.randn(rows, 8, device="cuda")
        yield x


def fit(model: nn.Module, optimizer, turns):
    for x in drawn(turns, 4):
        model(x).sum().backward()
        optimizer.step()


# case: where a tensor is given the code may run at every step: a hint
def pairs(labels: torch.Tensor, number: int):
    device = labels.device
    return labels[:number], torch.zeros(number, 3, device=device)


class Sampler:
    def points(self, labels: torch.Tensor):
        return labels + torch.ones(3, device=labels.device)


# case: on the device of a tensor there are the same bits, be it known for a tensor or not
class Positions(nn.Module):
    # run: Positions()(floats("n c"))
    def forward(self, x):
        rows = torch.arange(x.shape[0], device=x.device)
        grid = torch.zeros(x.shape[0], 4, device=x.device)
        same = torch.eye(3, device=x.device)
        return rows, grid, same, torch.ones(x.shape[0], device=x.device)


# case: how much it is stands in the message, and a few bytes are a hint
def noise(x: torch.Tensor):
    for _ in range(1000):
        x = x.cuda() + torch.randn(1024, 1024, device=x.device)
        x = x * torch.ones(3, device=x.device)
    return x
