# doc: Every line of this ends the graph
@torch.compile
def step(x: Tensor, labels: Tensor) -> Tensor:
    x = torch.where(x.abs().max() > 100, x.clamp(-100, 100), x)
    scale = x.std().detach()
    kept = x[x > 0]
    if not torch.compiler.is_compiling():
        print("kept", kept.shape)
    return kept * scale + random.random()


# case: a module, by what its class calls; through helpers
logger = logging.getLogger(__name__)


class Block(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        self.check(x)
        return F.relu(x)

    def check(self, x: Tensor):
        assert torch.isnan(x).any().logical_not(), "NaN"


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()
        self.rnn = nn.LSTM(8, 8)

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        x = helper(x)
        longest = int(lengths.max())
        x, _ = self.rnn(x)
        return self.block(x)[:longest]


def helper(x: Tensor) -> Tensor:
    if not torch.compiler.is_compiling():
        logger.info("called")
    if not torch.compiler.is_compiling():
        warnings.warn("old", stacklevel=2)
    return x * 2


def main():
    net = torch.compile(Net().cuda())
    return net


# case: a condition on what a list of layers made
class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x: Tensor):
        for layer in self.layers:
            x = layer(x)
        x = torch.where(x.sum() > 0, x + 1, x)
        return x


deep = torch.compile(Deep())


# case: all that a library's modules do, where they are assumed to be compiled
# set: assume-compiled = True
class Attention(nn.Module):
    def forward(self, x: Tensor, mask: Tensor):
        if mask.all():
            return x
        return self.masked(x, mask)

    def masked(self, x: Tensor, mask: Tensor):
        if not torch.compiler.is_compiling():
            print(mask.shape)
        return x * mask

    @torch.compiler.disable
    def shown(self, x: Tensor):
        print(x)

    def unused(self, x: Tensor):
        print(x)


# case: what can be written instead, and what cannot
@torch.compile
def chooses(x: Tensor, y: Tensor, mode: int):
    x, y = x * 1, y * 2
    x = torch.where(x.sum() > 0, x * y, x)  # twice as much
    if mode == 1:
        y = y + 1
    elif y.sum() > 0:
        y = y - 1
    assert x.isnan().any().logical_not()
    return x * y.std().detach()


# case: a class above makes the calls, and the class that is compiled has the methods
class Above(nn.Module):
    def __init__(self):
        super().__init__()
        self.measured = self.by_sum

    def forward(self, x: Tensor):
        return self.measured(self.cut(x))

    def by_sum(self, x: Tensor):
        return x / x.sum().detach()

    def cut(self, x: Tensor):
        return x


class Below(Above):
    def forward(self, x: Tensor):
        return super().forward(x * 2)

    def cut(self, x: Tensor):
        return x[x > 0]


below = torch.compile(Below())


# case: a table of functions and classes, and a name for one of two
class Steps:
    def advance(self, x: Tensor):
        return x * x.max().detach()


class Leaps:
    def advance(self, x: Tensor):
        return x * 2


def wide(x: Tensor):
    return x[x > 1]


def narrow(x: Tensor):
    return x[x > 2]


SOLVERS = {"steps": Steps, "leaps": Leaps}


@torch.compile
def solve(x: Tensor, name: str, is_wide: bool):
    solver = SOLVERS[name]()
    pick = wide if is_wide else narrow
    return pick(solver.advance(x))


# case: what old programs write, and a function with a backward pass of its own
class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        if not torch.compiler.is_compiling():
            print("forward")
        return x.round()

    @staticmethod
    def backward(ctx, given):
        if not torch.compiler.is_compiling():
            print("never compiled")
        return given


class Floored(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.floor()

    @staticmethod
    def backward(ctx, given):
        return torch.autograd.grad(given, given)


@torch.compile
def old(x: Tensor, given: dict):
    x = x
    if "mask" in given:
        x = x * given["mask"]
    for i in range(4):
        if i == 3:
            continue
        if not torch.compiler.is_compiling():
            print(i)
    return Rounded.apply(x) + Floored.apply(x)


# case: an option that is on, and one of two calls that no option keeps off
class Kept(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * x.sum().detach()


class Twice(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * x.sum().detach()


class Holder(nn.Module):
    def __init__(self, compile_kept: bool = True, compile_twice: bool = False):
        super().__init__()
        self.kept = Kept()
        self.twice = Twice()
        if compile_kept:
            self.kept = torch.compile(self.kept)
        if compile_twice:
            self.twice = torch.compile(self.twice)


twice = torch.compile(Twice())
