"""What is on the host by the way it came about, and branches that nobody in sight takes."""

from collections.abc import Sequence

import torch
from elsewhere import converted, placed
from torch import Tensor, nn


def window(sizes: Sequence[int], device=None):
    shape = converted(sizes, int, wrap=True)
    count = torch.prod(shape)  # fact: shape => tensor, cpu, likely
    ones = torch.ones(count)  # fact: torch.ones(count) => no wait
    there = placed(sizes, device=device)
    total = torch.prod(there)  # fact: there => tensor, no device
    other = converted(there, 3)
    rest = torch.prod(other)  # fact: other => tensor, no device
    return ones, total, rest


def folded(x: Tensor, shape: Tensor):
    if isinstance(shape, tuple):
        height, width = shape
    elif isinstance(shape, Tensor):
        height, width = int(shape[0]), int(shape[1])  # fact: int(shape[0]) => no wait
    return x.view(height, width)


def stretched(x: Tensor, shape: Tensor):
    if isinstance(shape, Tensor):
        return x.view(int(shape[0]), int(shape[1]))  # fact: int(shape[0]) => wait
    return x


def resized(x: Tensor, shape):
    shape = shape.tolist() if torch.is_tensor(shape) else shape  # fact: shape.tolist() => no wait
    return x.view(shape)


def moved(x: Tensor, shape):
    shape = shape.tolist() if torch.is_tensor(shape) else shape  # fact: shape.tolist() => wait
    return x.view(shape)


class Net(nn.Module):
    def forward(self, x: Tensor, y: Tensor):
        return folded(x, y.shape) + stretched(x, y) + resized(x, y.shape[-2:]) + moved(x, y)


def widened(x: Tensor, config):
    kept = x.cpu()
    dtype = external(kept.dtype)
    wide = kept.to(dtype)  # fact: wide => tensor, cpu
    return wide, kept.to(external_device())


def optional(n: int, device: str = "cpu"):
    mask = torch.ones(n).to(device)  # fact: mask => tensor, host or unknown
    if mask.any():  # fact: mask.any() => no wait
        return mask
    return mask.sum().item()  # fact: mask.sum().item() => no wait


def settings(params: dict[str, Tensor], inputs: dict[str, Tensor]):
    chosen = params["p"] > 0.5  # fact: chosen => tensor, host or unknown
    rows = inputs["rows"] > 0  # fact: rows => tensor, no device
    return chosen, rows


def branches(x: Tensor, y: Tensor, device):
    compact = x.device.type == "cpu" and x.ndim == 2
    if compact:
        y = y[y > 0]  # fact: y[y > 0] => no wait
    elif x.device.type == "cuda":
        y = y[y > 1]  # fact: y[y > 1] => wait
    else:
        y = y[y > 2]  # fact: y[y > 2] => no wait
    y = y[y > 3] if device.type == "mps" else y[y > 4]  # fact: y[y > 3] => no wait && y[y > 4] => wait
    return y


# ---- a matrix of SciPy, of which some arrays go to the GPU


def convert(matrix):
    rows = torch.from_numpy(matrix.indices).cuda()
    values = torch.from_numpy(matrix.data).float().to("cuda")
    last = matrix.indptr[-1]  # fact: matrix => unknown && matrix.indptr[-1] => unknown
    if matrix.data[0] > 3:  # fact: matrix.data[0] > 3 => unknown, no wait
        return rows, values, last
    return rows


def same_size(x: Tensor, known: Tensor):
    for size in x.shape:
        same = torch.equal(torch.as_tensor(size), known)  # fact: torch.equal(torch.as_tensor(size), known) => no wait
        same = torch.equal(known, torch.as_tensor(size))  # fact: torch.equal(known, torch.as_tensor(size)) => no wait
        same = known.equal(torch.as_tensor(size))  # fact: known.equal(torch.as_tensor(size)) => no wait
    return same


def same_values(x: Tensor, known: Tensor):
    y = x.cuda()
    return torch.equal(y, known)  # fact: torch.equal(y, known) => wait


# ---- what came out of a call of which a part is made an array as it is


class Algorithm:
    def optimize(self, replay, agent):
        for samples in replay:
            agent.inputs = samples.inputs.to(agent.device)
            loss, errors = self.loss(samples)
            loss.backward()
            shown = loss.item()  # fact: loss.item() => no wait
            replay.note(errors[::8].detach().numpy(), shown)

    def optimize_there(self, replay, agent):
        for samples in replay:
            loss, errors = self.loss(samples)
            loss.backward()
            shown = loss.item()  # fact: loss.item() => wait
            replay.note(errors[::8].cpu().numpy(), shown)


# ---- a part of what is given that stays, where others are moved


def as_mask(done):
    done = done.type(torch.float)
    mask = torch.ones_like(done)
    mask[1:] = 1 - torch.clamp(torch.cumsum(done[:-1], dim=0), max=1)
    return mask


class Contrast:
    def loss(self, samples, device):
        image = samples.image[1:]
        image, target = move_all((image, samples.target), device=device)
        valid = as_mask(samples.done).type(torch.bool)
        right = image.cuda() > 0
        own = as_mask(samples.target).type(torch.bool)
        self.note(right[own])  # fact: right[own] => wait
        return right[valid]  # fact: right[valid] => no wait


# ---- a loss that is a text or on the host, and is asked which


def validate(model, loader):
    losses = torch.zeros(len(loader))
    for i, batch in enumerate(loader):
        losses[i] = model(batch.cuda()).mean()
    return losses.mean()


def learn(model, loader, optimizer):
    last = "n/a"
    for step, batch in enumerate(loader):
        loss = model(batch.cuda()).mean()
        loss.backward()
        optimizer.step()
        if isinstance(last, torch.Tensor):
            last = f"{last:.3f}"  # fact: f"{last:.3f}" => no wait
        print(f"{loss:.3f}", last)  # fact: f"{loss:.3f}" => wait
        if step % 100 == 0:
            last = validate(model, loader)  # fact: last => tensor, cpu


# ---- a method that is named as if it set up a module, and that `forward` calls with its batch


class Clusters(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.centers = torch.nn.Parameter(torch.zeros(3))
        self._init_centers_weight(self.centers)

    def forward(self, x: torch.Tensor):
        x = x.cuda()
        return self._search(x) + self.centers

    def _search(self, x: torch.Tensor):
        return x - self._init_random(x)

    def _init_random(self, x: torch.Tensor):
        count = x.max().item()  # fact: x.max().item() => wait
        return torch.rand(int(count), device=x.device)

    def _init_centers_weight(self, weight: torch.Tensor):
        if weight.max() > 1:  # fact: weight.max() => no wait
            weight.data.zero_()


# ---- a distribution of one's own is made of what a step has


class Squashed(torch.distributions.TransformedDistribution):
    def __init__(self, loc, scale):
        self.base = torch.distributions.Normal(loc, scale)  # fact: torch.distributions.Normal(loc, scale) => wait
        super().__init__(self.base, [torch.distributions.transforms.TanhTransform()])


class Actor(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.distributions.Normal(torch.zeros(3), torch.ones(3))  # fact: self.first => distribution

    def forward(self, x: torch.Tensor):
        loc, scale = x.cuda().chunk(2, -1)
        return Squashed(loc, scale.exp())


def counted(scores: Tensor, pick):
    places = torch.arange(pick(scores))
    there = torch.zeros(9, 9, device="cuda")
    kept = there[:, places]  # fact: there[:, places] => wait
    there[:, places, places] = 0.0  # fact: there[:, places, places] => wait
    return kept, there
