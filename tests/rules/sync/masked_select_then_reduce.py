import functools

import torch
from torch import nn


# doc: A loss over the pixels that have depth
class DepthLoss(nn.Module):
    def forward(self, pred: torch.Tensor, depth: torch.Tensor):
        error = (pred - depth).abs()
        large = error > 0.1
        return error[large].mean() + 0.1 * error[error > 10].sum()  # expect: TPL108 @ error[large].mean() && TPL108 @ error[error > 10].sum()


# case: operations on each element may stand between
class Between(nn.Module):
    def forward(self, x: torch.Tensor):
        y = x * 2
        mask = x > 0
        first = (x[mask] - y[mask]).pow(2).mean()  # expect: TPL108 @ (x[mask] - y[mask]).pow(2).mean()
        second = torch.mean(torch.log(x[mask]))  # expect: TPL108 @ torch.mean(torch.log(x[mask]))
        third = torch.masked_select(x, mask).sum() * 2  # expect: TPL108 @ torch.masked_select(x, mask).sum()
        fourth = -(x == y)[mask].float().mean()  # expect: TPL108 @ (x == y)[mask].float().mean()
        return first, second, third, fourth


# case: the mean of what a function spreads the mask for has no fix: how often it counts, only the shapes know
class Spread(nn.Module):
    def forward(self, losses: torch.Tensor, mask: torch.BoolTensor):
        return torch.mean(losses.masked_select(mask.unsqueeze(1)))  # expect: TPL108 @ torch.mean(losses.masked_select(mask.unsqueeze(1)))


# case: other reductions
class Reductions(nn.Module):
    def forward(self, x: torch.Tensor):
        mask, bad = x > 0, torch.isnan(x)
        chosen = bad[mask].any()  # expect: TPL108 @ bad[mask].any()
        every = (x[mask] > 3).all()  # expect: TPL108 @ (x[mask] > 3).all()
        top = x.float()
        return chosen, every, top[mask].max(), torch.min(top[mask])  # expect: TPL108 @ top[mask].max() && TPL108 @ torch.min(top[mask])


# case: a mask of rows
def rows(n: int):
    x = torch.randn(n, 16, device="cuda")
    valid = x.sum(-1) > 0
    total = x[valid].sum()  # expect: TPL108 @ x[valid].sum()
    center = x[valid].mean(0)  # expect: TPL108 @ x[valid].mean(0)
    spread = (x - center)[valid].mean()  # expect: TPL108 @ (x - center)[valid].mean()
    return total, center, spread


# case: where the shapes are not known, the cure is only shown
class Blind(nn.Module):
    def forward(self, x, mask: torch.BoolTensor):
        return x.abs()[mask].mean()  # expect: TPL108 @ x.abs()[mask].mean()


# ok: the mask shrinks heavier work as well
class Shrinks(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor, mask: torch.BoolTensor):
        rows = self.head(x[mask])
        return rows, x[mask].mean(), self.head(x[mask]).mean()


# ok: integer indices, slices, and the cure
class Indices(nn.Module):
    def forward(self, x: torch.Tensor, index: torch.LongTensor, mask: torch.BoolTensor):
        first = x[index].mean() + x[2:].sum() + x[0].max()
        return first + torch.where(mask, x, 0).sum() / mask.sum()


# ok: the result is as long as the selection, or holds more than one thing
class Long(nn.Module):
    def forward(self, x: torch.Tensor, mask: torch.BoolTensor):
        return x[mask].mean(-1), x[mask].max(1), x[mask].sum(dim=1, keepdim=True), x[mask].std(), x[mask].median()


# ok: the host reads the result at once, so it waits anyway
def evaluate(model: nn.Module, loader):
    hits = 0.0
    for x, y in loader:
        logits = model(x.cuda())
        right = logits > 0
        hits += logits[right].sum().item()
        hits += float(logits[right].mean())
        if (logits[right] > 3).any():
            hits += 1
    return hits


# ok: masks and tensors of the host
import numpy as np


def on_host(path):
    array = np.load(path)
    frame = torch.from_numpy(array)
    return array[array > 0].mean(), frame[frame > 0].mean()


# ok: once an epoch, and what is called from there
def best(scores: torch.Tensor, mask: torch.BoolTensor):
    return scores[mask].mean()


def train(model, loader, optimizer, scores: torch.Tensor, mask: torch.BoolTensor):
    for epoch in range(10):
        for x, y in loader:
            loss = model(x.cuda(), y.cuda())
            loss.backward()
            optimizer.step()
        best(scores, mask)
        best(scores, mask)
        print(scores[mask].mean())



# ok: behind the question whether there is anything, which has waited already
class Asked(nn.Module):
    def forward(self, x: torch.Tensor):
        mask = x > 0
        if mask.any():
            return x[mask].max()
        return x[~mask].mean() if (~mask).any() else 0


# ok: what is computed once and kept
@functools.lru_cache(maxsize=2)
def window(size: int):
    x = torch.hann_window(size, device="cuda")
    mask = x > 0
    return x[mask].min()


# missed: the selection has a name of its own
class Named(nn.Module):
    def forward(self, x: torch.Tensor):
        chosen = x[x > 0]
        return chosen.mean()
