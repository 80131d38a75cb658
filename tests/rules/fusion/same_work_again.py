import copy
import dataclasses
import functools

import torch
from torch import nn


# doc: Quantised twice, and copied for each batch
def quantise(x: torch.Tensor, levels: int):
    top = x.abs().max()
    scaled = x / top * levels
    rounded = scaled.round()
    return rounded / levels * top


class Layer(nn.Module):
    def forward(self, x: torch.Tensor, other: torch.Tensor, packed=None):
        settings = dataclasses.asdict(packed) if packed is not None else {}  # expect: TPL613 @ dataclasses.asdict(packed)
        first = quantise(x, 16) @ other
        second = other @ quantise(x, 16)  # expect: TPL613 @ quantise(x, 16)
        return first, second, settings


# case: a tuple of what a dataclass holds is a copy as well
class Unpacked(nn.Module):
    def forward(self, x: torch.Tensor, packed=None):
        gain, shift = dataclasses.astuple(packed)  # expect: TPL613 @ dataclasses.astuple(packed)
        return x * gain + shift


# case: at every step
def train(model: nn.Module, loader, optimizer):
    model.cuda()
    for x in loader:
        before = copy.deepcopy(model)  # expect: TPL613 @ copy.deepcopy(model)
        model(x.cuda()).sum().backward()
        optimizer.step()
        torch.save(model.state_dict(), "last.pt")  # expect: TPL613 @ torch.save(model.state_dict(), "last.pt")
    return before


# case: to Python and back
class Index:
    def __init__(self, ids: torch.Tensor):
        self.ids = ids

    def add(self, new: int):
        ids = self.ids.tolist()  # expect: TPL613 @ self.ids.tolist()
        ids.append(new)
        self.ids = torch.tensor(ids, dtype=self.ids.dtype)


# ok: what is given has changed
def halve(x: torch.Tensor):
    y = x / 2
    z = y.round()
    w = z * 2
    return w - x


class Changed(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        a = halve(x)
        x = x + y
        b = halve(x)
        c = halve(y)
        y.mul_(2)
        d = halve(y)
        return a, b, c, d


# ok: another time, on another way, or in a loop
class Ways(nn.Module):
    def forward(self, x: torch.Tensor, kept: bool):
        if kept:
            a = halve(x)
        else:
            a = halve(x) + 1
        for _ in range(3):
            a = a + halve(a)
        return a


# ok: random, or with effects
def noisy(x: torch.Tensor):
    noise = torch.randn_like(x)
    kept = torch.rand(3).cuda()
    drawn = torch.randn(3).cuda() + noise
    return x + drawn * kept


def marked(x: torch.Tensor, seen: list):
    y = x * 2
    seen.append(y)
    z = y + 1
    return z


class Drawn(nn.Module):
    def forward(self, x: torch.Tensor, seen: list):
        return noisy(x) + 1, self.more(x, seen)

    def more(self, x: torch.Tensor, seen: list):
        a = noisy(x)
        b = noisy(x)
        c = marked(x, seen)
        d = marked(x, seen)
        return a, b, c, d


# ok: now and then
def train_gated(model: nn.Module, loader, optimizer, best: float):
    kept = copy.deepcopy(model)
    for step, x in enumerate(loader):
        model(x.cuda()).sum().backward()
        optimizer.step()
        if step % 1000 == 0:
            torch.save(model.state_dict(), "last.pt")
        if best > 3:
            torch.save(model.state_dict(), "best.pt")
            kept = copy.deepcopy(model)
    torch.save(model.state_dict(), "last.pt")
    return kept


# ok: made once
class Made:
    def __init__(self, ids: torch.Tensor):
        self.ids = ids
        known = self.ids.tolist()
        self.ids = torch.tensor([*known, 0])

    def show(self):
        return self.ids.tolist()


# ok: what it gives are numbers of Python; what is written is no checkpoint
def sizes(x: torch.Tensor):
    height, width = x.shape[-2:]
    half = height // 2
    third = width // 3
    return half, third


class Cut(nn.Module):
    def forward(self, x: torch.Tensor):
        a = sizes(x)
        b = sizes(x)
        return x[a[0] :, b[0] :]


def send(model: nn.Module, loader, optimizer, sink):
    for x in loader:
        model(x.cuda()).sum().backward()
        optimizer.step()
        torch.save(x, sink)


# case: a mask selects from several tensors, and all entries of a model are listed at each turn
class Filter(nn.Module):
    def forward(self, boxes: torch.Tensor, scores: torch.Tensor, labels: torch.Tensor):
        keep = scores > 0.5
        boxes = boxes[keep]
        return boxes, scores[keep], labels[keep]  # expect: TPL613 @ scores[keep]


def take_over(model: nn.Module, checkpoint: dict, tokens: list, known: dict):
    for number, token in enumerate(tokens):
        if token in known:
            model.state_dict()["embedding.weight"][number] = checkpoint["weight"][known[token]]  # expect: TPL613 @ model.state_dict()
        dict(model.named_parameters())["bias"].data[number] = 0  # expect: TPL613 @ model.named_parameters()


# ok: another mask, places instead of a mask, one tensor, the other branch, another model at each turn, all entries, no module
class Choose(nn.Module):
    def forward(self, boxes: torch.Tensor, scores: torch.Tensor, flag: bool):
        keep = scores > 0.5
        boxes = boxes[keep]
        keep = boxes[:, 0] > 0
        places = scores.argsort()
        if flag:
            low = scores < 0.1
            chosen = scores[low]
        else:
            low = scores < 0.2
            chosen = scores[low]
        return boxes[keep], scores[places], boxes[places], chosen


def compare(models: list, loader, single: nn.Module):
    weights = [model.state_dict()["weight"] for model in models]
    for model in models:
        weights.append(model.state_dict()["weight"])
    for name, value in models[0].state_dict().items():
        if value.shape != single.state_dict()[name].shape:
            weights.append(value.reshape(single.state_dict()[name].shape))
    for x in loader:
        for value in single.state_dict().values():
            x = x + value.sum()
    return weights, single.state_dict()["weight"]


def log_scale(model: nn.Module, loader, optimizer: torch.optim.Optimizer, loss_scaler):
    scales = []
    for x in loader:
        model(x.cuda()).sum().backward()
        optimizer.step()
        scales.append((loss_scaler.state_dict()["scale"], optimizer.state_dict()["param_groups"]))
    return scales


# case: worked out of settings, or of sizes, at each call
class Codes(nn.Module):
    def __init__(self, bits: int, width: int):
        super().__init__()
        self.bits = bits
        self.width = width

    def forward(self, x: torch.Tensor, q_len: int, k_len: int):
        near = torch.arange(q_len, device=x.device)[:, None] - torch.arange(k_len, device=x.device)[None]
        bias = near.abs().clamp(max=8).float()  # expect: TPL613 @ near.abs().clamp(max=8).float()
        x = x + bias
        weights = 2 ** torch.arange(self.bits - 1, -1, -1, device=x.device).flip(0)  # expect: TPL613 @ 2 ** torch.arange(self.bits - 1, -1, -1, device=x.device).flip(0)
        return (x * weights).sum(-1) + self.angles(x)

    def angles(self, x: torch.Tensor):
        steps = torch.arange(0, self.width, 2, device=x.device)
        frequencies = 1.0 / 10000 ** (steps / self.width)
        places = torch.arange(x.shape[1], device=x.device)
        table = torch.outer(places, frequencies).cos()  # expect: TPL613 @ torch.outer(places, frequencies).cos()
        return x * table


layers = nn.ModuleList(Codes(8, 64) for _ in range(12))


# ok: a handful of operations once a step
class Times(nn.Module):
    def forward(self, t: torch.Tensor):
        steps = torch.arange(0, 64, 2, device=t.device)
        frequencies = torch.exp(-steps * 0.1).cos()
        return t[:, None] * frequencies


# ok: little work, what hangs on weights or on what is given, what is drawn, what is made where it is not there yet
class Given(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.width = width
        self.scale = nn.Parameter(torch.ones(width))
        self.kept = None

    def forward(self, x: torch.Tensor, start: int):
        places = torch.arange(x.shape[1], device=x.device) + 1
        shifted = (torch.arange(self.width, device=x.device) + start) * 2 - 1
        scaled = (torch.arange(self.width, device=x.device) * self.scale).exp()
        noise = (torch.rand(self.width, device=x.device) * 2 - 1).exp()
        if self.kept is None:
            self.kept = (torch.arange(self.width, device=x.device) * 2 - 1).exp()
        return x * places * shifted * scaled * noise * self.kept


# case: functions that make tensors of settings and sizes alone
def grid(height: int, width: int, device):
    y = torch.arange(height, device=device)
    x = torch.arange(width, device=device)
    return torch.stack(torch.meshgrid(y, x, indexing="ij"), -1)


def make_anchors(features, strides):
    points = []
    for i, stride in enumerate(strides):
        height, width = features[i].shape[2:]
        places = torch.arange(height * width, device=features[i].device)
        points.append(torch.stack([places // width, places % width], -1) * stride)
    return torch.cat(points), len(points)


class Detector(nn.Module):
    def __init__(self, length: int):
        super().__init__()
        self.length = length
        self.strides = [8, 16, 32]

    def _mask(self):
        rows = [[1] * (self.length - i) + [0] * i for i in range(self.length)]
        return torch.tensor(rows)

    def forward(self, x: torch.Tensor, features):
        cells = grid(x.shape[2], x.shape[3], x.device)  # expect: TPL613 @ grid(x.shape[2], x.shape[3], x.device)
        mask = self._mask().to(x.device)  # expect: TPL613 @ self._mask().to(x.device)
        anchors, count = make_anchors(features, self.strides)  # expect: TPL613 @ make_anchors(features, self.strides)
        return x, cells, mask, anchors, count


# ok: what is kept, what reads tensors, draws, writes, or hangs on a step; what is filled with something else
@functools.lru_cache
def kept_grid(height: int, device):
    return torch.stack(torch.meshgrid(torch.arange(height), torch.arange(height), indexing="ij")).to(device)


def masked_grid(x, height: int):
    return torch.stack([torch.arange(height), torch.arange(height) + 1]) * x


def noisy_grid(height: int):
    return torch.stack([torch.arange(height), torch.randperm(height), torch.arange(height)]).exp()


class Anchors(nn.Module):
    def __init__(self, length: int):
        super().__init__()
        self.length = length
        self.seen = None
        self.weight = nn.Parameter(torch.ones(length))

    def _mask(self):
        if self.seen is None:
            self.seen = torch.stack([torch.ones(self.length), torch.zeros(self.length)]).exp()
        return self.seen

    def _weighted_mask(self):
        return torch.stack([torch.ones(self.length), torch.zeros(self.length)]).exp() * self.weight

    def forward(self, x: torch.Tensor, step: int, rows: int):
        a = kept_grid(x.shape[2], x.device)
        b = masked_grid(x, x.shape[2])
        c = noisy_grid(x.shape[2])
        d = grid(step, rows, x.device)
        mask = self._mask()
        weighted_mask = self._weighted_mask()
        table = torch.zeros(x.shape[1], self.length)
        table[:, 0] = x.sum()
        filled = (table.exp() * 2 - 1).softmax(-1)
        return a, b, c, d, mask, weighted_mask, filled


# ok: once, before all steps
def prepare(width: int):
    table = (torch.arange(width, device="cuda") * 2 - 1).exp()
    return table


# case: an operation in the same words, and one that no turn of a loop changes
class Scores(nn.Module):
    def forward(self, scores: torch.Tensor, gains: torch.Tensor, layers, mask: torch.Tensor):
        loss = (scores.softmax(-1) * gains).sum()
        entropy = (scores.softmax(-1) * scores.log_softmax(-1)).sum()  # expect: TPL613 @ scores.softmax(-1)
        gate = torch.sigmoid(gains) * scores + gains * torch.sigmoid(gains)  # expect: TPL613 @ torch.sigmoid(gains)
        if scores.shape[0] > 1:
            gate = gate + torch.cat([torch.cos(scores), torch.sin(scores)], -1)[0]
            gate = gate - torch.cat([torch.cos(scores), torch.sin(scores)], -1)[1]  # expect: TPL613 @ torch.cat([torch.cos(scores), torch.sin(scores)], -1)
        out = [layer @ torch.matmul(mask, gains) for layer in layers]  # expect: TPL613 @ torch.matmul(mask, gains)
        for layer in layers:
            gate = gate + layer @ mask.float().cumsum(-1)  # expect: TPL613 @ mask.float().cumsum(-1)
        return loss, entropy, gate, out


heads = nn.ModuleList(Scores() for _ in range(12))


# case: behind a condition that says the same at each turn
class Graph(nn.Module):
    def __init__(self, learns: bool, layers):
        super().__init__()
        self.learns = learns
        self.layers = nn.ModuleList(layers)
        self.left = nn.Parameter(torch.randn(200, 10))
        self.right = nn.Parameter(torch.randn(10, 200))

    def forward(self, x: torch.Tensor, given: torch.Tensor | None):
        for layer in self.layers:
            if self.learns and given is not None:
                x = layer(x, torch.softmax(torch.mm(self.left, self.right), 1))  # expect: TPL613 @ torch.softmax(torch.mm(self.left, self.right), 1)
            else:
                x = layer(x, given)
        return x


graph = Graph(True, heads)


# ok: the condition is another at each turn, by name, by an attribute, or by a call
class Late(nn.Module):
    def forward(self, x: torch.Tensor, gains: torch.Tensor, layers, late):
        for i, layer in enumerate(layers):
            if i > late:
                x = layer(x, torch.mm(gains, gains).softmax(1))
            if self.is_due:
                x = layer(x, torch.mm(gains, gains).cumsum(1))
            if self.asks(x):
                x = layer(x, torch.mm(gains, gains).cumsum(0))
            self.is_due = not self.is_due
        return x


# ok: one pass through memory, once a step
class Gate(nn.Module):
    def forward(self, x: torch.Tensor, gains: torch.Tensor):
        return torch.sigmoid(gains) * x + gains * torch.sigmoid(gains)


# ok: what was read has changed, by name, in place, by an optimizer, or by a method of its object
class Steps(nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.state = torch.zeros(size)
        self.weight = nn.Parameter(torch.zeros(size))

    def advance(self, x: torch.Tensor):
        self.state = self.state + x
        return x * 2

    def forward(self, x: torch.Tensor, optimizer, turns: list):
        before = x.softmax(-1) * 2
        x = x + before
        after = x.softmax(-1) * 3
        x[0] = 1
        later = x.softmax(-1) * 4
        held = self.state.exp() * 2
        moved = self.advance(x)
        held = held + self.state.exp() * moved
        first = self.weight.exp() * 2
        optimizer.step()
        second = self.weight.exp() * 3
        for turn in turns:
            x = x + torch.sigmoid(x) * self.state.exp()
            self.state = self.state + turn
        return before, after, later, held, first, second


# ok: two that are wanted, what is written into, a condition, another mode, random numbers, views and casts
class Two(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, flag: bool, turns: list):
        states = (torch.zeros_like(x), torch.zeros_like(x))
        low = torch.relu(x)
        low[0] = 0
        high = torch.relu(x)
        either = x.exp() * 2 if flag else x.exp() * 3
        drawn = torch.bernoulli(x) + torch.bernoulli(x)
        parts = x.transpose(0, 1) @ y + x.transpose(0, 1) @ y.float() + y.float()
        with torch.autocast("cuda"):
            half = torch.matmul(x, y) * 2
        full = torch.matmul(x, y) * 3
        total = x.sum() / x.sum()
        kept = []
        for turn in turns:
            kept.append(torch.zeros_like(x))
            copy_of_x = torch.relu(y)
            copy_of_x[turn] = 0
            if turn > 3:
                kept.append(x.softmax(-1) * turn)
        return states, low, high, either, drawn, parts, half, full, total, kept, copy_of_x


# ok: the last of a list that grows
class Levels(nn.Module):
    def forward(self, x: torch.Tensor, count: int):
        outs = [x]
        for _ in range(count):
            outs.append(nn.functional.max_pool2d(outs[-1], 2))
        first = torch.relu(outs[-1]) * 2
        outs.append(x)
        return outs, first + torch.relu(outs[-1])


# ok: a loop that trains, and one that ends at its first turn
def adapt(scale: torch.Tensor, loader, optimizer):
    scale.cuda()
    for x in loader:
        loss = (x.cuda() * scale.softmax(-1)).sum()
        loss.backward()
        optimizer.step()


def first_of(found: list, x: torch.Tensor):
    for each in found:
        return each * x.softmax(-1)
    return x


# ok: tensors of Python's numbers, and what an object is set up with
class Weights(nn.Module):
    def __init__(self, x: torch.Tensor, sizes: list):
        super().__init__()
        self.low = nn.Parameter(x.abs().sqrt() * 2)
        self.high = nn.Parameter(x.abs().sqrt() * 3)

    def forward(self, x: torch.Tensor, count: int):
        places = [torch.IntTensor([0]).to(x.device) for _ in range(count)]
        return torch.Tensor([count]) * x + torch.Tensor([count]), places


# case: the mode of a model, batch by batch
def evaluate_each(model: nn.Module, loader):
    model.cuda()
    found = []
    with torch.no_grad():
        for x in loader:
            model.eval()  # expect: TPL613 @ model.eval()
            found.append(model(x.cuda()).argmax(1))
    return found


# ok: once an epoch, or switched in between, also by whoever is handed the model
def train_in_modes(model: nn.Module, models: list, loader, optimizer, check):
    model.cuda()
    for _ in range(10):
        model.train()
        for step, x in enumerate(loader):
            model(x.cuda()).sum().backward()
            optimizer.step()
    for step, x in enumerate(loader):
        model.train()
        model(x.cuda()).sum().backward()
        optimizer.step()
        if step % 100 == 0:
            check(model, loader)
    for x in loader:
        model.train()
        model(x.cuda()).sum().backward()
        model.eval()
        check(model(x.cuda()))
    for each in models:
        each.eval()
    for x in loader:
        if x.shape[0] > 1:
            model.train()
        model(x.cuda()).sum().backward()


# ok: who was handed the model before the loop may switch it in there
def train_with(model: nn.Module, loader, optimizer, evaluator_of):
    evaluator = evaluator_of(model)
    for x in loader:
        model.train()
        model(x.cuda()).sum().backward()
        optimizer.step()
        evaluator.evaluate()


# ok: two buffers for a kernel to write to
def of_kernel(run, loader, width: int):
    for x in loader:
        x = x.cuda()
        last = x.new(x.shape[0], width)
        gates = x.new(x.shape[0], width)
        run(x.data_ptr(), last.data_ptr(), gates.data_ptr())
