"""An index out of NumPy: an array is copied, a number of an array is a number; masks; what images are made of."""

import numpy as np
import torch
from PIL import Image


def arrays(x: torch.Tensor, given: np.ndarray, scores: torch.Tensor, n: int):
    rows = np.arange(3)
    drawn = np.random.randint(0, n, size=4)
    best = scores.detach().cpu().numpy()
    a = x[rows]  # fact: x[rows] => wait
    b = x[drawn + 1]  # fact: x[drawn + 1] => wait
    c = x[given[2:]]  # fact: x[given[2:]] => wait
    d = x[:, best]  # fact: x[:, best] => wait
    e = x[np.random.permutation(n)[:2]]  # fact: x[np.random.permutation(n)[:2]] => wait
    x[rows] = 0  # fact: x[rows] => wait
    return a, b, c, d, e


def numbers(x: torch.Tensor, given: np.ndarray, n: int):
    i = np.random.randint(0, n)
    a = x[i]  # fact: x[i] => no wait
    b = x[given[0]]  # fact: x[given[0]] => no wait
    c = x[given.argmax()]  # fact: x[given.argmax()] => no wait
    d = [x[k] for k in given]  # fact: x[k] => no wait
    x[i, 0] = 0  # fact: x[i, 0] => no wait
    return a, b, c, d


def listed(x: torch.Tensor, n: int):
    groups = [np.arange(n), np.arange(n, 2 * n)]
    weights = [np.zeros(n)]
    for group in groups:
        a = x[:, group]  # fact: x[:, group] => wait
    b = x[groups[1]]  # fact: x[groups[1]] => wait
    c = x[weights[0]]  # fact: x[weights[0]] => no wait
    for i in groups[0]:
        d = x[i]  # fact: x[i] => no wait
    return a, b, c, d


def slices(x: torch.Tensor, dim: int):
    index = [slice(None)] * x.ndim
    index[dim] = slice(1, -1)
    a = x[index]  # fact: x[index] => no wait
    b = x[tuple(index)]  # fact: x[tuple(index)] => no wait
    c = x[[1, 3]]  # fact: x[[1, 3]] => wait
    d = x[[[0], [1]]]  # fact: x[[[0], [1]]] => wait
    return a, b, c, d


def masked(x: torch.Tensor, y: torch.Tensor):
    gone = (y == 0).all()
    each = y == 0
    x[each] = 0  # fact: x[each] => no wait
    x[gone] = 0  # fact: x[gone] => wait
    x[gone, 0] = 1.0  # fact: x[gone, 0] => wait
    z = x[gone]  # fact: x[gone] => wait
    w = torch.where(gone, x, y)  # fact: torch.where(gone, x, y) => no wait
    return x, z, w


def inverted(x: torch.Tensor, seen: torch.Tensor, kept: torch.IntTensor):
    gone = ~seen  # fact: gone => tensor, bool, likely
    bits = ~kept  # fact: bits => tensor, int32
    y = x[gone]  # fact: x[gone] => wait
    x[gone] = 0  # fact: x[gone] => no wait
    return y, bits


def pictures(path, place):
    image = Image.open(path).convert("RGB").resize((64, 64))
    whole = torch.from_numpy(np.array(image))  # fact: whole => tensor, cpu, uint8
    part = torch.from_numpy(np.asarray(image)[:32].copy()).permute(2, 0, 1)  # fact: part => tensor, cpu, uint8
    depth = torch.from_numpy(np.asarray(Image.open(place).convert("F")))  # fact: depth => tensor, cpu, float32
    any_mode = torch.from_numpy(np.asarray(Image.open(place)))  # fact: any_mode => tensor, cpu, no dtype
    return whole, part, depth, any_mode


def drawn_alone(n: int):
    a = torch.tensor(np.random.rand())  # fact: a => no dtype
    b = torch.tensor(np.random.uniform(0, 1))  # fact: b => no dtype
    c = torch.from_numpy(np.random.rand(n))  # fact: c => float64
    d = torch.from_numpy(np.random.uniform(size=n))  # fact: d => float64
    return a, b, c, d


def at_places(x: torch.Tensor, labels: np.ndarray, many: bool, size: int):
    places = np.where(labels != 0)
    x.cuda()[places].sum()  # fact: x.cuda()[places] => wait
    x.cpu()[places].sum()  # fact: x.cpu()[places] => no wait
    chosen = np.where(labels != 0, 1.0, 0.0)  # fact: chosen => ndarray
    if many:
        rows = np.random.randint(0, 9, size)
    else:
        rows = np.repeat(3, size)
    x.cuda()[rows, :].sum()  # fact: x.cuda()[rows, :] => wait
    if many:
        row = np.repeat(3, size)
    else:
        row = 3
    return x.cuda()[row, :].sum(), chosen  # fact: x.cuda()[row, :] => no wait


def last_entry(device):
    quaternion = torch.zeros(4, device="cuda")
    quaternion[..., -1] = 1.0  # fact: quaternion[..., -1] => wait
    rows = torch.zeros(4, 4, device="cuda")
    rows[..., -1] = 1.0  # fact: rows[..., -1] => no wait
    return quaternion, rows


# ---- arrays that an object keeps


class Reverse(torch.nn.Module):
    def __init__(self, width, given):
        super().__init__()
        self.order = np.array(np.arange(width)[::-1])
        self.back = np.argsort(self.order)
        self.first = np.arange(width)[0]
        self.given = given
        self.either = np.arange(width)
        self.weights = np.ones(width)

    def choose(self, at):
        self.either = at

    def forward(self, x: torch.Tensor):
        x = x.cuda()
        a = x[:, self.order]  # fact: x[:, self.order] => wait
        b = x[self.back]  # fact: x[self.back] => wait
        c = x[self.first]  # fact: x[self.first] => no wait
        d = x[:, self.given]  # fact: x[:, self.given] => no wait
        e = x[:, self.either]  # fact: x[:, self.either] => no wait
        f = x[:, self.weights]  # fact: x[:, self.weights] => no wait
        return a, b, c, d, e, f
