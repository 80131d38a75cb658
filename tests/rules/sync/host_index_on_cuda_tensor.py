import numpy as np
import torch
from torch import Tensor, nn


# doc: Two of three channels, in forward
class Chroma(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 8, 3)

    def forward(self, image):
        chroma = image[:, [1, 2]]  # expect: TPL114 @ image[:, [1, 2]]
        return self.conv(chroma)


# case: runs of numbers become slices
class Slices(nn.Module):
    def forward(self, x: Tensor):
        a = x[..., [0, 2]]  # expect: TPL114 @ x[..., [0, 2]]
        b = x[[3]]  # expect: TPL114 @ x[[3]]
        c = x[:, [-2, -1]]  # expect: TPL114 @ x[:, [-2, -1]]
        d = x[:, [-3, -2], None]  # expect: TPL114 @ x[:, [-3, -2], None]
        x[:, [0, 1, 2]] *= 2  # expect: TPL114 @ x[:, [0, 1, 2]]
        x[..., [4, 5]] = 0  # expect: TPL114 @ x[..., [4, 5]]
        return a, b, c, d


# case: lists that a loop fills, of which nobody knows with what
def drawn(pairs, sizes, table):
    for first in range(0, len(pairs), 256):
        users, items = [], []
        for user, item in pairs[first : first + 256]:
            users.append(table.users[user])
            items.append(table.items[item])
        yield users, items


def train(model: nn.Module, optimizer, pairs, sizes, table):
    for users, items in drawn(pairs, sizes, table):
        rows = model(torch.arange(sizes, device="cuda")).cuda()
        of_users = rows[users]  # expect: TPL114 @ rows[users]
        of_items = rows[items]  # expect: TPL114 @ rows[items]
        (of_users * of_items).sum().backward()
        optimizer.step()


# case: other constant lists can be a buffer
class Swap(nn.Module):
    def __init__(self):
        super().__init__()
        self.order = [2, 0, 1]

    def forward(self, x: Tensor):
        a = x[:, [2, 1, 0]]  # expect: TPL114 @ x[:, [2, 1, 0]]
        b = x[[0, 1], [1, 2]]  # expect: TPL114 @ x[[0, 1], [1, 2]]
        c = x[:, self.order]  # expect: TPL114 @ x[:, self.order]
        return a, b, c


# case: in a training loop
def train(model, loader, optimizer):
    for x in loader:
        x = x.cuda()
        loss = model(x[:, [0, 3, 5]]).mean()  # expect: TPL114 @ x[:, [0, 3, 5]]
        loss.backward()
        optimizer.step()


# case: arrays, and indices on the CPU
def shuffled(model, images: Tensor, labels: Tensor, optimizer, steps, size):
    images, labels = images.cuda(), labels.cuda()
    for _ in range(steps):
        rows = np.random.randint(0, 100, size)
        picked = torch.randperm(100)[:size]
        loss = model(images[rows])  # expect: TPL114 @ images[rows]
        loss = loss + labels[picked]  # expect: TPL114 @ labels[picked]
        loss.mean().backward()
        optimizer.step()


# case: a range of Python beside labels
class Picked(nn.Module):
    def forward(self, logits: Tensor, labels: Tensor):
        return logits[range(labels.shape[0]), labels]  # expect: TPL114 @ logits[range(labels.shape[0]), labels]


# run: Picked()(floats("3 3"), torch.arange(3))


# case: an index that is made in place
class Rows(nn.Module):
    def forward(self, x: Tensor):
        best = x.argmax(dim=-1)
        y = x[torch.arange(x.shape[0])[:, None], best[None]]  # expect: TPL114 @ x[torch.arange(x.shape[0])[:, None], best[None]]
        x = x[torch.arange(2).view(1, 2), torch.arange(1, 3).unsqueeze(0)]  # expect: TPL114 @ x[torch.arange(2).view(1, 2), torch.arange(1, 3).unsqueeze(0)]
        return y[torch.arange(3), best], x  # expect: TPL114 @ y[torch.arange(3), best]


# run: Rows()(floats("3 3"))
# run: Rows()(anything("3 5"))


# case: an index that is used twice is reported once
def fit(model, x: Tensor, y: Tensor, optimizer, steps):
    x, y = x.cuda(), y.cuda()
    rows = torch.randperm(1000)[:800]
    for _ in range(steps):
        output = model(x).float()
        loss = (output[rows] - y[rows]).abs().mean()  # expect: TPL114 @ y[rows]
        loss = loss + x[rows].square().mean()
        loss.backward()
        optimizer.step()


# case: a class that is no module has no buffers, so nothing is shown


class BoxLoss:
    def __init__(self, gain):
        self.gain = gain

    def scaled(self, sizes: Tensor):
        return self.gain * sizes[[1, 0]]  # expect: TPL114 @ sizes[[1, 0]]


def train(model, x: Tensor, sizes: Tensor, optimizer, steps):
    criterion = BoxLoss(0.5)
    x, sizes = x.cuda(), sizes.cuda()
    for _ in range(steps):
        loss = criterion.scaled(sizes).sum() + model(x).mean()
        loss.backward()
        optimizer.step()


# ok: numbers, slices, masks of the host, and nothing but new dimensions
class Plain(nn.Module):
    def forward(self, x: Tensor, keep: list[bool], i: int):
        mask = torch.tensor([True, False])
        return x[0], x[:, i], x[1:3, ..., None], x[-1, ::2], x[mask], x[(0, 1)], x[i : i + 2]


# ok: indices that are on the GPU
class There(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("index", torch.tensor([2, 1, 0]))

    def forward(self, x: Tensor):
        rows = torch.arange(x.shape[0], device=x.device)
        return x[:, self.index], x[rows], x[x.argmax(dim=-1)]


# ok: tensors of the host
class Boxes(torch.utils.data.Dataset):
    def __getitem__(self, index):
        boxes = torch.as_tensor(self.boxes[index])
        boxes[:, [0, 2]] *= self.width
        return boxes[:, [1, 0]]


def flips(loader, model):
    for images, boxes in loader:
        boxes[:, [0, 2]] = 1 - boxes[:, [2, 0]]
        model(images.cuda(), boxes.cuda())


# ok: lists, arrays and dictionaries are indexed
class Lookup(nn.Module):
    def forward(self, x: Tensor, shapes: list, table: dict, array: np.ndarray):
        names = ["a", "b"]
        return x * len(names[0]) * array[[0, 1]].sum(), table[(0, 1)], shapes[0]


# ok: a list of slices, and numbers of an array
class Picked(nn.Module):
    def forward(self, x: Tensor, points: np.ndarray, dim: int):
        index = [slice(None)] * x.ndim
        index[dim] = slice(1, -1)
        first = np.random.randint(0, 8)
        return x[index], x[points[0]], x[:, first], [x[0, p[0]] for p in points]


# ok: once, before the loop, and behind a gate
def prepare(model, loader, images: Tensor):
    images = images.cuda()[[0, 2, 5]]
    for step, x in enumerate(loader):
        y = model(x.cuda())
        if step % 50 == 0:
            y = y[[0, 3, 1]]
    return images


# ok: in one turn of all
def shortened(model, frames: Tensor, steps: int, turn: int):
    frames = frames.cuda()
    for i, t in enumerate(range(steps)):
        if i == turn:
            frames = frames[:, [0, -1]]
        frames = model(frames, t)
    return frames


# ok: the labels of a batch that is fetched by hand are shuffled before they are moved
def fetched(loader, model, optimizer, device, steps):
    batches = iter(loader)
    for step in range(steps):
        try:
            x, labels = next(batches)
        except StopIteration:
            batches = iter(loader)
            x, labels = next(batches)
        targets = labels[torch.randperm(labels.size(0))]
        x, labels, targets = x.to(device), labels.to(device), targets.to(device)
        loss = model(x, labels, targets).mean()
        loss.backward()
        optimizer.step()


# ok: an array of floats is no index: torch refuses it, so nobody comes by here
class Grid(nn.Module):
    def forward(self, x: Tensor):
        rows = np.arange(4)
        columns = np.outer(np.ones(rows.shape[0]), rows)
        return x[:, columns, np.zeros(3)]


# missed: a list that is built in a helper out of sight
class Helper(nn.Module):
    def forward(self, x: Tensor, build):
        return x[:, build(x.shape[1])]
