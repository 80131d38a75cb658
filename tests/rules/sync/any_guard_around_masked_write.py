import torch
from torch import nn


# doc: Values out of range are only set where there are any
class Guarded(nn.Module):
    def forward(self, depth: torch.Tensor, valid: torch.BoolTensor):
        outliers = depth > 80
        if outliers.any():  # expect: TPL104 @ outliers.any()
            depth[outliers] = 80.0
        if (~valid).sum() > 0:  # expect: TPL104 @ (~valid).sum() > 0
            depth = depth.masked_fill(~valid, 0.0)
        return depth


# case: proven to change nothing
# run: clean(anything("..."))
def clean(values: torch.Tensor):
    x = torch.zeros_like(values.detach(), dtype=torch.float32) + values.detach().float()
    bad = torch.isnan(x)
    if bad.any():  # expect: TPL104 @ bad.any()
        x[bad] = 0.0
    if torch.any(x < -1):  # expect: TPL104 @ torch.any(x < -1)
        # as low as it gets
        x[x < -1] = -1.0
    return x


# case: proven for numbers that are new, and for no others: of some, autograd has kept what they were
# run: capped(anything("..."), floats("..."))
# run: capped(floats("n"), floats("n"))
def capped(values: torch.Tensor, weight: torch.Tensor):
    counts = torch.ones_like(values, dtype=torch.int16) + 1
    low = counts < 3
    if low.any():  # expect: TPL104 @ low.any()
        counts.masked_fill_(low, 3)
    fresh = values.detach().float() + 1
    if (fresh > 80).any():  # expect: TPL104 @ (fresh > 80).any()
        fresh[fresh > 80] = 80
    same = values.detach().float()
    if (same > 80).any():  # expect: TPL104 @ (same > 80).any()
        same[same > 80] = 80
    kept = values.detach().float() * 2.0
    weighted = weight * kept
    if (kept > 80).any():  # expect: TPL104 @ (kept > 80).any()
        kept[kept > 80] = 80
    return counts, fresh, same, weighted, kept


# case: other questions, other writes
class Questions(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        low = x < 0
        if low.any().item():  # expect: TPL104 @ low.any().item()
            x.masked_fill_(low, 0)
            y[low] = 1
        if len(low.nonzero()) > 0:  # expect: TPL104 @ len(low.nonzero()) > 0
            x = torch.where(low, 0.0, x)
        high = x > 3
        found = high.sum()
        if found: x[high] = 3  # expect: TPL104 @ found
        return x, y


# ok: the block does more, or something else follows
class More(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        low = x < 0
        if low.any():
            x[low] = 0
            x = x / x.sum()
        if low.any():
            x[low] = 0
        else:
            x = x * 2
        if low.any():
            x[low] = y[low]
        if low.any():
            x[~low] = 0
        if low.any():
            low = x > 3
            x[low] = 0
        return x


# ok: it asks something else
class Other(nn.Module):
    def forward(self, x: torch.Tensor):
        low = x < 0
        if low.all():
            x[low] = 0
        if low.sum() > 3:
            x[low] = 0
        if not low.any():
            x[low] = 0
        if low.any() and self.training:
            x[low] = 0
        return x


# ok: the mask is on the host, or an array
import numpy as np


def on_host(path):
    array = np.load(path)
    if (array < 0).any():
        array[array < 0] = 0
    frame = torch.from_numpy(array)
    if (frame > 1).any():
        frame[frame > 1] = 1
    return frame


# ok: the cure
class Cured(nn.Module):
    def forward(self, x: torch.Tensor):
        x[x < 0] = 0
        return x.masked_fill(x > 3, 3)


# ok: once every so many steps
def train(model, loader, optimizer):
    for step, (x, y) in enumerate(loader):
        loss = model(x.cuda(), y.cuda())
        loss.mean().backward()
        optimizer.step()
        if step % 100 == 0:
            bad = torch.isnan(loss)
            if bad.any():
                loss[bad] = 0


# ok: once an epoch, and what is called from there
def best(scores: torch.Tensor, mask: torch.BoolTensor):
    if mask.any():
        scores[mask] = 0
    return scores


def train(model, loader, optimizer, scores: torch.Tensor, mask: torch.BoolTensor):
    for epoch in range(10):
        for x, y in loader:
            loss = model(x.cuda(), y.cuda())
            loss.backward()
            optimizer.step()
        best(scores, mask)
        if mask.any():
            scores[mask] = 0



# missed: the mask is a comparison that the write spells in another way
class Respelled(nn.Module):
    def forward(self, x: torch.Tensor):
        if (x < 0).any():
            x[0 > x] = 0
        return x


# ok: the host side of loading: nothing but datasets, samplers and collate functions calls it
from torch.utils.data import Dataset


def without_outliers(points: torch.Tensor):
    far = points.norm(dim=1) > 100
    if far.any():
        points[far] = 0
    return points


def centred(points: torch.Tensor):
    return without_outliers(points) - points.mean(0)


class Clouds(Dataset):
    def __init__(self, clouds):
        self.clouds = clouds

    def __len__(self):
        return len(self.clouds)

    def __getitem__(self, index):
        return centred(self.clouds[index])


# case: what is inverted is a mask, whatever its annotation leaves open
class Inverted(nn.Module):
    def forward(self, depth: torch.Tensor, seen: torch.Tensor):
        unseen = ~seen
        if unseen.any():  # expect: TPL104 @ unseen.any()
            depth[unseen] = 0
        return depth


# ok: the bits of whole numbers, which are indices then
class Bits(nn.Module):
    def forward(self, table: torch.Tensor, codes: torch.IntTensor):
        others = (~codes).long()
        table[others] = 0
        return table


# case: a write over several lines keeps its form
def clip(x: torch.Tensor, low: float, high: float):
    for _ in range(100):
        x = x.cuda() * 2
        mask = x > high
        if mask.any():  # expect: TPL104 @ mask.any()
            x[mask] = max(
                low,
                high,
            )
    return x
