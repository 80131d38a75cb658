import math

import torch
from torch import Tensor, nn


# doc: One-hot rows, written by index
def train(model, loader, optimizer, classes):
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        rows = torch.arange(len(y), device="cuda")
        wanted = torch.zeros(len(y), classes, device="cuda")
        wanted[rows, y] = 1.0  # expect: TPL113 @ wanted[rows, y]
        loss = (model(x).softmax(dim=-1) - wanted).square().mean()
        loss.backward()
        optimizer.step()


# case: an index of one dimension, of the first, a middle or the last dimension
class Dropped(nn.Module):
    def forward(self, x: Tensor):
        h = torch.ones(8, 8, 8, device="cuda")
        index = torch.randperm(8, device="cuda")[:2]
        h[index] = 0.0  # expect: TPL113 @ h[index]
        h[:, index] = 2  # expect: TPL113 @ h[:, index]
        h[..., index] = -1.5  # expect: TPL113 @ h[..., index]
        h[0, index] = 3.0  # expect: TPL113 @ h[0, index]
        n = torch.zeros(8, dtype=torch.int64, device="cuda")
        n[index] = 5  # expect: TPL113 @ n[index]
        n[index] = 0.5  # expect: TPL113 @ n[index]
        return x * h * n


# run: Dropped()(anything("8"))


# case: on the device of the input
class Spread(nn.Module):
    def forward(self, x: Tensor):
        h = torch.ones(4, 4, device=x.device)
        index = torch.arange(3, device=x.device)
        h[index] = 0.1  # expect: TPL113 @ h[index]
        h[:, index] = -2  # expect: TPL113 @ h[:, index]
        h[index, index] = 3.0  # expect: TPL113 @ h[index, index]
        h[0, 0] = True  # expect: TPL113 @ h[0, 0]
        return x * h


# run: Spread()(floats("4"))
# run: Spread()(anything("... 1 4"))


# case: what is given, at places that are counted
# run: Marked()(floats("4 4"))
# run: Marked()(floats("2 n ..."))
# run: Marked()(floats("3 3 n"))
class Marked(nn.Module):
    def forward(self, x: Tensor):
        h = x.float()
        rows = torch.arange(2, device=x.device)
        h[rows] = 0.5  # expect: TPL113 @ h[rows]
        h[..., rows] = 2  # expect: TPL113 @ h[..., rows]
        order = torch.arange(x.shape[0], device=x.device).flip(0)
        h[order, 0] = -0.0  # expect: TPL113 @ h[order, 0]
        h[0, order[:1]] = 1  # expect: TPL113 @ h[0, order[:1]]
        return h


# case: what is likely only gets a fix that a person looks at
class Likely(nn.Module):
    def forward(self, x, index: Tensor, value: float):
        h = x.clone()
        index = index.long().view(-1)
        h[index] = 0.0  # expect: TPL113 @ h[index]
        h[index] = value  # expect: TPL113 @ h[index]
        return h


# case: one element
class Corner(nn.Module):
    def forward(self, x: Tensor):
        mask = torch.zeros(4, 4, device="cuda")
        mask[0, 0] = 1.0  # expect: TPL113 @ mask[0, 0]
        mask[-1, 2] = True  # expect: TPL113 @ mask[-1, 2]
        first = torch.zeros(4, device="cuda", dtype=torch.uint8)
        first[0] = 1  # expect: TPL113 @ first[0]
        return x * mask + first


# run: Corner()(anything("... 1 4"))


# case: numbers that the host reads back
class Read(nn.Module):
    def forward(self, x: Tensor, y: Tensor, mask: Tensor):
        low, step = x.min(), y.mean()
        a = x.masked_fill(mask, low)  # expect: TPL113 @ x.masked_fill(mask, low)
        b = x.sub(y * 2, alpha=step)  # expect: TPL113 @ x.sub(y * 2, alpha=step)
        c = torch.add(x, y, alpha=step)  # expect: TPL113 @ torch.add(x, y, alpha=step)
        d = torch.full_like(x, low)  # expect: TPL113 @ torch.full_like(x, low)
        e = x.new_full((2,), low, dtype=torch.float64)  # expect: TPL113 @ x.new_full((2,), low, dtype=torch.float64)
        f = torch.where(mask, x, torch.tensor(0.0))  # expect: TPL113 @ torch.where(mask, x, torch.tensor(0.0))
        return a, b, c, d, e, f


# ok: an old form, with the factor before the tensor
def average(model: torch.nn.Module, ema: torch.nn.Module, m, loader):
    model.cuda(), ema.cuda()
    for x in loader:
        model(x.cuda()).sum().backward()
        for p, q in zip(model.parameters(), ema.parameters()):
            q.data.mul_(m).add_(1 - m, p.detach().data)


# ok: writes under a mask, to rows and slices, and of tensors
class Free(nn.Module):
    def forward(self, x: Tensor, mask: Tensor):
        h = torch.zeros(4, 4, device="cuda")
        index = torch.arange(2, device="cuda")
        keep = x > 0
        x[keep] = 0.0
        x[:, keep[0]] = 0
        h[0] = 1.0
        h[1:3, 2] = 1.0
        h[:, 1] = 0
        h[index] = h.new_zeros(())
        h[index] = h[index] + 1
        h.index_fill_(0, index, 1.0)
        h[0, 0].fill_(1.0)
        return x, h


# ok: the operations next to them
class Beside(nn.Module):
    def forward(self, x: Tensor, y: Tensor, mask: Tensor):
        low = x.min()
        a = x.masked_fill(mask.bool(), float("-inf"))
        b = torch.where(mask.bool(), x, 0.0)
        c = torch.where(mask.bool(), x, low)
        d = x.add(y, alpha=2) + x * low
        e = torch.full_like(x, 3.0)
        f = x.clamp(max=low)
        x.fill_(low)
        return a, b, c, d, e, f


# ok: tensors of the host
class Targets(torch.utils.data.Dataset):
    def __getitem__(self, index):
        wanted = torch.zeros(10)
        wanted[self.labels[index]] = 1.0
        wanted[0] = 0.5
        rows = torch.arange(3)
        wanted[rows] = 1.0
        return wanted


def collate(rows):
    out = torch.zeros(len(rows), 10)
    for i, row in enumerate(rows):
        out[i, 0] = 1.0
        out[i, : len(row)] = torch.as_tensor(row)
    return out


# ok: a few elements, once
def kernel(size):
    k = torch.zeros(size, size, device="cuda")
    k[size // 2, size // 2] = 1.0
    return k


# ok: lists, dictionaries and arrays
class Kept(nn.Module):
    def forward(self, x: Tensor, seen: dict, order: list):
        seen[0, 0] = 1.0
        order[0] = 1.0
        return x


# missed: how many dimensions there are is not known
class Unknown(nn.Module):
    def forward(self, x: Tensor):
        x[0, 0] = 1.0
        return x


# ok: corners that are moved to the device only after they are written
class Crop(nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.size = size
        self.register_buffer("corners", torch.tensor([[0, 0], [size, size]]))

    def forward(self, image: torch.Tensor):
        self.corners[0, 0] = image.shape[-1] - self.size
        return image, self.corners.expand(2, -1).to(image)


# ok: what is rounded up to a number may itself be a tensor of the GPU, whose element is written without a wait
class Corners(nn.Module):
    def forward(self, x: Tensor, boxes, ratio: float):
        offsets = x.new_zeros((2, 2, 8, 8))
        for box in range(len(boxes)):
            left, right = boxes[box]
            scaled = left * ratio
            width = math.ceil(right * ratio - scaled)
            at = int(min(scaled, 7))
            offsets[0, 0, width, at] = scaled - at
        return offsets
