import torch
from torch import Tensor, nn


# doc: A module counts its calls
class Noise(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0
        self.body = nn.Linear(8, 8)

    def forward(self, x: Tensor) -> Tensor:
        self.steps += 1  # expect: TPL703 @ self.steps
        return self.body(x)


noise = torch.compile(Noise())


# case: written out, in a method that `forward` calls, by a size
class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls: int = 0
        self.seen = 0

    def forward(self, x: Tensor) -> Tensor:
        self.calls = self.calls + 1  # expect: TPL703 @ self.calls
        return self.count(x)

    def count(self, x: Tensor) -> Tensor:
        self.seen += x.shape[0]  # expect: TPL703 @ self.seen
        return x * 2


counter = Counter()
counter.compile()


# case: a list that grows, a global count
class Gather(nn.Module):
    def __init__(self):
        super().__init__()
        self.outputs = []

    def forward(self, x: Tensor) -> Tensor:
        self.outputs.append(x)  # expect: TPL703 @ self.outputs.append(x)
        return x * 2


gather = torch.compile(Gather())
calls = 0


@torch.compile
def step(x: Tensor):
    global calls
    calls += 1  # expect: TPL703 @ calls
    return x * 2


# case: the size of what is given varies, and `dynamic=False` is said
def scored(x: Tensor):
    return x * 2


fixed = torch.compile(scored, dynamic=False)


def generated(x: Tensor):
    while x.shape[1] < 13:
        x = torch.cat((x, fixed(x)[:, :1]), dim=1)  # expect: TPL703 @ x
    return x


def prefixes(x: Tensor):
    for n in range(1, 8):
        fixed(x[:, :n])  # expect: TPL703 @ x[:, :n]
        fixed(x[:, n - 1 :])  # expect: TPL703 @ x[:, n - 1 :]


@torch.compile(dynamic=False)
def halved(x: Tensor):
    return x / 2


def tails(x: Tensor, count: int):
    for n in range(count):
        halved(x[n:])  # expect: TPL703 @ x[n:]


# ok: the size stays, or sizes may vary
windowed = torch.compile(torch.nn.ReLU(), dynamic=False)
free = torch.compile(torch.nn.ReLU())
freed = torch.compile(torch.nn.ReLU(), dynamic=True)


def windows(x: Tensor, width: int):
    out = windowed(x)
    for n in range(16):
        windowed(x[:, n : n + width])
        windowed(x[:, : n % 4])
        windowed(x[n])
        free(x[:, :n])
        freed(x[:, :n])
        out = torch.cat((out, out), 1)
        out = windowed(out[:, :8])
    for n in range(2):
        windowed(x[:, n:])
    for row in x:
        windowed(row)
    return out


def kept_short(x: Tensor):
    for _ in range(16):
        x = torch.cat((x, x), 1)
        x = x[:, -8:]
        windowed(x)


def now_and_then(x: Tensor):
    for n in range(64):
        if n % 16 == 0:
            windowed(x[:, :n])


# ok: a buffer, a float, a flag, the last of something
class Kept(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.zeros((), dtype=torch.long))
        self.scale = 1.0
        self.flag = False
        self.last = None

    def forward(self, x: Tensor) -> Tensor:
        self.steps += 1
        self.scale += 0.5
        self.flag = not self.flag
        self.last = x.shape[0]
        return x * self.steps


kept = torch.compile(Kept())


# ok: set or emptied by somebody else
class Reset(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0
        self.outputs = []

    def reset(self):
        self.steps = 0
        self.outputs.clear()

    def forward(self, x: Tensor) -> Tensor:
        self.steps += 1
        self.outputs.append(x)
        return x * 2


reset = torch.compile(Reset())


# ok: it is not compiled, it is a name of the function, or it stands behind a gate
class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0
        self.rounds = 0

    def forward(self, x: Tensor) -> Tensor:
        self.steps += 1
        return x

    @torch.compile
    def fast(self, x: Tensor, verbose: bool) -> Tensor:
        n = 0
        rows = []
        for row in x:
            n += 1
            rows.append(row)
        if verbose:
            self.rounds += 1
        return x * n


# ok: Dynamo is told to take whole numbers of modules for variables
torch._dynamo.config.allow_unspec_int_on_nn_module = True


class Told(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0

    def forward(self, x: Tensor) -> Tensor:
        self.steps += 1
        return x * self.steps


told = torch.compile(Told())
