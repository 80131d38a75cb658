import torch
from torch import Tensor, nn


# doc: A mask as long as the longest of a batch
class Masked(nn.Module):
    def forward(self, x, lengths: Tensor):
        steps = torch.arange(lengths.max(), device=x.device)  # expect: TPL115 @ torch.arange(lengths.max(), device=x.device)
        mask = steps[None, :] < lengths[:, None]
        return x.masked_fill(~mask, 0.0)


# case: as a bound, an index, a size, and for a loop
class Sizes(nn.Module):
    def forward(self, x: Tensor, lengths: Tensor):
        longest = lengths.amax()
        a = x[:, :longest]  # expect: TPL115 @ x[:, :longest]
        first = lengths[0].amin()
        b = x.new_zeros(first)  # expect: TPL115 @ x.new_zeros(first)
        last = lengths[-1].amin()
        c = x.narrow(1, 0, last)  # expect: TPL115 @ x.narrow(1, 0, last)
        turns = lengths.sum()
        for i in range(turns):  # expect: TPL115 @ range(turns)
            c = c * 2
        d = x[lengths.argmax()]  # expect: TPL115 @ x[lengths.argmax()]
        middle = lengths.float().mean()
        e = x[middle.long() - 1]  # expect: TPL115 @ x[middle.long() - 1]
        return a, b, c, d, e


# case: a number that is used again and again is reported once
class Again(nn.Module):
    def forward(self, x: Tensor, lengths: Tensor):
        longest = lengths.amax()
        a = x.new_zeros(longest, 3)  # expect: TPL115 @ x.new_zeros(longest, 3)
        b = x[:, :longest]
        c = x.view(-1, longest)
        longest = lengths.amin()
        return a, b, c, x[:, longest:]  # expect: TPL115 @ x[:, longest:]


# case: read on the way
class Read(nn.Module):
    def forward(self, x: Tensor, lengths: Tensor):
        longest = int(lengths.max())  # expect: TPL115 @ int(lengths.max())
        mask = torch.arange(longest, device=x.device) < lengths[:, None]
        x = x[:, : lengths.sum().item() + 1]  # expect: TPL115 @ lengths.sum().item()
        return x, mask, torch.zeros(2, lengths.max().item())  # expect: TPL115 @ lengths.max().item()


# case: what is picked is read at once, which waits whoever picks it
class Best(nn.Module):
    def forward(self, scores: Tensor, x: Tensor):
        best = scores.argmax()
        if x.flatten()[best].item() > 0:  # expect: TPL115 @ x.flatten()[best]
            x = x * 2
        score = float(x[scores.argmin()])  # expect: TPL115 @ x[scores.argmin()]
        return x * score


# case: a table that is indexed by a time step on the GPU
@torch.no_grad()
def denoise(model, x: Tensor, sigmas: Tensor):
    model.cuda()
    x, sigmas = x.cuda(), sigmas.cuda()
    step = torch.zeros((), dtype=torch.int64, device="cuda")
    for _ in range(50):
        sigma = sigmas[step]  # expect: TPL115 @ sigmas[step]
        x = x - sigma * model(x, step)
        step = step + 1
    return x


# ok: indices of one dimension stay on the GPU
class Selected(nn.Module):
    def forward(self, x: Tensor, t: Tensor, table: Tensor):
        best = x.argmax(dim=-1)
        rows = torch.arange(x.shape[0], device=x.device)
        return x[rows, best], table[t.view(-1)], x.index_select(0, best), x.gather(1, best[:, None])


# ok: numbers of the host
class Host(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width

    def forward(self, x: Tensor, lengths: list[int]):
        n = x.shape[1] // 2
        longest = max(lengths)
        for i in range(n):
            x = x[:, i:]
        return x[:, :longest], x.new_zeros(n, self.width), torch.arange(longest), x.view(-1, x.size(-1)), x[n]


# ok: lengths of the CPU
def batches(model, loader):
    for x, lengths in loader:
        longest = lengths.max().item()
        x = x[:, :longest]
        mask = torch.arange(lengths.max()) < lengths[:, None]
        model(x.cuda(), mask.cuda())


# ok: to name what was found, the host needs the number
@torch.no_grad()
def classify(model, loader, names: list[str]):
    found = []
    for x in loader:
        best = model(x.cuda()).argmax()
        found.append(names[best])
    return found


def evaluate(model, batches: torch.utils.data.DataLoader, names: list[str]):
    for x, y in batches:
        best = model(x.cuda()).argmax()
        yield names[best]


# ok: once, and behind a gate
def prepare(model, loader, lengths: Tensor):
    longest = lengths.cuda().max()
    table = torch.zeros(longest, device="cuda")
    for step, x in enumerate(loader):
        y = model(x.cuda())
        if step % 10 == 0:
            y = y[y.argmax()]
    return table


# ok: the number is used for more than a size
class Both(nn.Module):
    def forward(self, x: Tensor, lengths: list[int], record):
        count = len(lengths)
        record(count)
        return x[:count]


# missed: a name that means two things is not followed
class Twice(nn.Module):
    def forward(self, x: Tensor, lengths: Tensor, record):
        longest = lengths.max().item()
        record(longest)
        return x[:, :longest]


# ok: a size that was made of numbers of the host, by a helper out of sight
from collections.abc import Sequence

from elsewhere import converted


def kernel(window: Sequence[int], device):
    sizes = converted(window, int)
    count = torch.prod(sizes)
    return torch.diag(torch.ones(count, device=device))


class Median(torch.nn.Module):
    def forward(self, x):
        return x @ kernel((3, 3), x.device)


# case: numbers of which nobody knows that they are numbers, where torch takes nothing else
class Grids(nn.Module):
    def forward(self, x: torch.Tensor, counts: torch.Tensor, shapes: torch.Tensor):
        k = counts.float().ceil().long()
        rows = [torch.arange(k[i], device=x.device) for i in range(8)]  # expect: TPL115 @ torch.arange(k[i], device=x.device)
        height, width = shapes.amax(dim=0)
        grid = torch.nn.functional.affine_grid(x, (8, 3, height, width))  # expect: TPL115 @ torch.nn.functional.affine_grid(x, (8, 3, height, width))
        return rows, grid


# ok: a shape that a part of the model hands out beside its features
class Decoder(nn.Module):
    def __init__(self, encoder: nn.Module):
        super().__init__()
        self.encoder = encoder

    def forward(self, x: torch.Tensor):
        features, sizes = self.encoder(x)
        return torch.nn.functional.interpolate(features, size=sizes[-2])


# ok: what a function of torch makes of numbers is on the host
class Shuffle(nn.Module):
    def forward(self, x: torch.Tensor):
        batch, channels, height, width = x.cuda().size()
        each = torch.div(channels, 2, rounding_mode="trunc")
        return x.view(batch, 2, each, height, width)
