from collections import deque

import numpy as np
import torch
from torch import nn


# doc: Items of a batch, one by one
class Heads(nn.Module):
    def scale(self, x: torch.Tensor):
        return x / 2 + 0.5

    def forward(self, x: torch.Tensor, weight: torch.Tensor):
        products = torch.stack([x[i] @ weight for i in range(x.shape[0])])  # expect: TPL608 @ range(x.shape[0])
        return torch.stack([self.scale(each) for each in products])  # expect: TPL608 @ products


# case: some of them otherwise
def postprocess(image: torch.Tensor, denormalize, chosen: list[bool]):
    n = image.shape[0]
    return torch.stack([denormalize(image[i]) if chosen[i] else image[i] for i in range(n)])  # expect: TPL608 @ range(n)


# case: elements that are read
def activate(probabilities: torch.Tensor, low: float, high: float):
    states = (probabilities >= high).int() + (probabilities >= low).int()
    for batch in range(states.shape[0]):
        for step in range(states.shape[1] - 1):  # expect: TPL608 @ range(states.shape[1] - 1)
            if states[batch, step] == 2 and states[batch, step + 1] == 1:
                states[batch, step + 1] = 2
    return states


class Uniform:
    def __init__(self, device: torch.device):
        self.device = torch.device(device)

    def kernel(self, size: int, low: float, high: float):
        kernel = torch.linspace(-size, size, steps=size, device=self.device)
        for i, j in enumerate(kernel):  # expect: TPL608 @ enumerate(kernel)
            if low <= j <= high:
                kernel[i] = 1 / (high - low)
            else:
                kernel[i] = 0
        return kernel


# case: rows by a rule
def chunked_mask(x: torch.Tensor, size: int):
    mask = torch.zeros(x.shape[1], x.shape[1], device=x.device, dtype=torch.bool)
    steps = x.size(1)
    for t in range(steps):  # expect: TPL608 @ range(steps)
        visible = (t // size + 1) * size
        mask[t, visible:] = True
    return mask


# case: each row gets a number of its own, also on the CPU; formulas that hang on no other turn
class Negatives(nn.Module):
    def forward(self, x: torch.Tensor, high: int, count: int):
        batch, _ = x.shape
        index = torch.randint(0, high, (batch, count))
        for i in range(1, batch):  # expect: TPL608 @ range(1, batch)
            index[i] += i * high
        return x.view(-1)[index]


def advantages(reward: torch.Tensor, value: torch.Tensor, alive: torch.Tensor, gamma: float, decay: float):
    reward, value, alive = reward.cuda(), value.cuda(), alive.cuda()
    last, found = 0, torch.zeros_like(reward)
    for t in reversed(range(reward.shape[0])):  # expect: TPL608 @ reversed(range(reward.shape[0]))
        delta = reward[t] + gamma * value[t + 1] * alive[t] - value[t]
        last = found[t] = delta + gamma * decay * alive[t] * last
    return found


# case: a sampler of tensors
class Shuffled(torch.utils.data.Sampler):
    def __init__(self, data, repeats: int):
        self.data, self.repeats = data, repeats

    def __iter__(self):
        order = torch.randperm(len(self.data)).repeat_interleave(self.repeats)
        order = torch.cat([order, order[:3]])
        return iter(order[:100])  # expect: TPL608 @ iter(order[:100])


def halves(memory: dict, size: int):
    order = torch.randperm(size)
    batches = torch.utils.data.BatchSampler(order, batch_size=size // 2, drop_last=True)  # expect: TPL608 @ torch.utils.data.BatchSampler(order, batch_size=size // 2, drop_last=True)
    return [memory["state"][each] for each in batches], torch.utils.data.BatchSampler(range(size), 2, True)


# ok: a sampler of lists, an iterator of something else
class Ordered(torch.utils.data.Sampler):
    def __iter__(self):
        return iter(torch.randperm(8).tolist())


class Rows:
    def __init__(self, rows: torch.Tensor):
        self.rows = rows

    def __iter__(self):
        return iter(self.rows)


# ok: a formula of what the loop writes or binds, of lists, of one slice
def recurrent(x: torch.Tensor, y: torch.Tensor, steps: int, scale: list):
    x, y, z = x.cuda(), y.cuda(), torch.zeros_like(x)
    for t in range(1, steps):
        z[t] = x[t] * 0.5 + z[t - 1] * 0.5 - x[t]
        h = y[t] * 2
        z[t] = z[t] + h * x[t] - h
        z[t] = x[t] * scale[t] + scale[t - 1]
        z[t] = x[t] * 2 + 1
    return z


# case: filled from Python
def fill(tokens: deque, count: int):
    scratch = torch.empty(count, dtype=torch.int64, pin_memory=True)
    for i in range(count):  # expect: TPL608 @ range(count)
        scratch[i] = tokens.popleft()
    return scratch.cuda(non_blocking=True)


# case: a cell where the network would do
class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(8, 8)

    def forward(self, x: torch.Tensor, h: torch.Tensor, c: torch.Tensor):
        outputs = []
        for t in range(x.size(0)):  # expect: TPL608 @ range(x.size(0))
            h, c = self.cell(x[t], (h, c))
            outputs.append(h)
        return torch.stack(outputs)


# ok: a turn needs what the one before gave
class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.out = nn.GRUCell(8, 8), nn.Linear(8, 8)

    def forward(self, x: torch.Tensor, h: torch.Tensor):
        for _ in range(x.size(0)):
            h = self.cell(x, h)
            x = self.out(h)
        return x


# ok: items of different lengths, or of which some are left out
class Ragged(nn.Module):
    def forward(self, x: torch.Tensor, lengths: list[int]):
        means = torch.stack([x[i, : lengths[i]].mean(0) for i in range(x.shape[0])])
        return means, torch.stack([x[i] * 2 for i in range(x.shape[0]) if lengths[i] > 3])


# ok: layers, a few parts, a list
class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(3, 3) for _ in range(4))

    def forward(self, x: torch.Tensor, maps: list[torch.Tensor]):
        many = torch.stack([layer(x) for layer in self.layers])
        few = torch.stack([x[i] * 2 for i in range(4)])
        return many, few, torch.cat([each.flatten(1) for each in maps])


# ok: on the CPU
class Images(torch.utils.data.Dataset):
    def __getitem__(self, index: int):
        x = torch.rand(4, 3)
        for i in range(x.shape[0]):
            if x[i, 0] > 0.5:
                x[i, 0] = 0
        return torch.stack([x[i] * 2 for i in range(x.shape[0])])


# ok: it ends when something is found
def search(x: torch.Tensor, limit: float):
    x = x.cuda()
    for i in range(x.shape[0]):
        if x[i].sum() > limit:
            return i
    return None


# ok: rows that hang on what is in them, or a whole block
def sample(x: torch.Tensor, starts: torch.Tensor, width: int):
    out = torch.zeros_like(x)
    for i in range(x.shape[0]):
        out[i, : width // 2] = x[i, starts[i] :]
    for i in range(x.shape[0]):
        out[i] = 0
    return out


# ok: the dimensions of a tensor, of which there are a few
def sizes(x: torch.Tensor):
    found = torch.zeros(len(x.shape), dtype=torch.int64)
    for i in range(len(x.shape)):
        found[i] = x.shape[i]
    return found


# ok: a list of maps of several sizes, for all that the file shows
class Levels(nn.Module):
    def ratio(self, mask: torch.Tensor):
        return (~mask[:, :, 0]).sum(1) / mask.shape[1]

    def forward(self, sources, masks):
        flat = []
        for source, mask in zip(sources, masks):
            flat.append(source.flatten(2) * mask.flatten(1))
        return torch.cat(flat, 1), torch.stack([self.ratio(mask) for mask in masks], 1)


# case: the mean of each class, and of each token of each sentence
def prototypes(features: torch.Tensor, labels: torch.Tensor, classes: int):
    features, labels = features.cuda(), labels.cuda()
    means = torch.zeros(classes, features.shape[1], device="cuda")
    for c in range(classes):  # expect: TPL608 @ range(classes)
        means[c] = features[labels == c].mean(0)
    parts = []
    for c in torch.unique(labels):  # expect: TPL608 @ torch.unique(labels)
        chosen = labels == c
        parts.append(torch.sum(features[chosen], dim=0))
    return means, parts


def token_means(hidden: torch.Tensor, words: torch.Tensor, lengths: list[int]):
    hidden, words = hidden.cuda(), words.cuda()
    out = torch.zeros_like(hidden)
    for i in torch.arange(hidden.shape[0]):
        for k in torch.arange(lengths[i]):  # expect: TPL608 @ torch.arange(lengths[i])
            out[i, k, :] = torch.nan_to_num(hidden[i][words[i] == k].mean(dim=0))
    return out


# ok: a few groups, on the CPU, of which more is done, or that are weighed and not selected
def few(features: torch.Tensor, labels: torch.Tensor, classes: int, net: nn.Module):
    means = [torch.zeros(3)]
    for c in range(2):
        means.append(features.cuda()[labels.cuda() == c].mean(0))
    for c in range(classes):
        means.append(features.cpu()[labels.cpu() == c].mean(0))
    for c in range(classes):
        means.append(net(features.cuda()[labels.cuda() == c]))
    for c in range(classes):
        means.append(((labels.cuda() == c)[:, None] * features.cuda()).sum(0))
    for c in range(classes):
        means.append(features.cuda()[c].mean(0))
    for c in range(classes):
        chosen = features.cuda()[labels.cuda() == c].mean(0)
        low, high = chosen.aminmax()
        scaled = (chosen - low) / (high - low)
        wide = torch.cat([chosen, scaled])
        turned = net(wide)
        last = turned.flip(0)
        both = turned + last
        means.append(both)
    return means


# ok: what puts a batch together for a loader works on the CPU
class Task:
    def collater(self, samples: list[dict[str, torch.Tensor]]):
        tokens = torch.stack([each["tokens"] for each in samples])
        return torch.stack([torch.randperm(tokens.size(1)) + tokens[i] for i in range(tokens.size(0))])


class PadCollator:
    def __call__(self, tokens: torch.Tensor):
        return torch.stack([tokens[i].flip(0) for i in range(tokens.size(0))])


# case: each turn reads its row, or each element is asked whether it is wanted
def lengths(tokens: torch.Tensor, mask: torch.Tensor):
    found = []
    for i in range(mask.shape[0]):  # expect: TPL608 @ range(mask.shape[0])
        found.append(tokens[i, : int(mask[i].sum())])
    return found


def of_kind(x: torch.Tensor, kinds: torch.Tensor):
    found = []
    for row, kind in zip(x, kinds):  # expect: TPL608 @ zip(x, kinds)
        if kind == 1:
            found.append(row)
    return torch.stack(found)


def best(precision: torch.Tensor, recall: torch.Tensor, least: float):
    wanted = [x for x, keep in zip(recall, precision > least) if keep]  # expect: TPL608 @ zip(recall, precision > least)
    return max((r, p) for p, r in zip(precision, recall) if p >= least), wanted  # expect: TPL608 @ zip(precision, recall)


# case: a comprehension selects from each row, or works something out of it, and reads that
def answers(tokens: torch.Tensor, mask: torch.Tensor, scores: torch.Tensor, n: int):
    kept = [row[keep].tolist() for row, keep in zip(tokens, mask.bool(), strict=True)]  # expect: TPL608 @ zip(tokens, mask.bool(), strict=True)
    sums = [int(row.sum()) for row in mask]  # expect: TPL608 @ mask
    starts = [row[: n + 1].argmax().item() for _, row in enumerate(scores)]  # expect: TPL608 @ enumerate(scores)
    return kept, sums, starts


# ok: elements and rows as they are (TPL107), what the program works out, of lists, of what the host has, and nothing of the row
def answered(tokens: torch.Tensor, mask: torch.Tensor, parts: list[torch.Tensor], measure):
    plain = [row.tolist() for row in tokens], [x.detach().item() for x in mask], [row[0].item() for row in mask]
    other = [measure(row).item() for row in tokens], [part.sum().item() for part in parts]
    on_host = [row[keep].tolist() for row, keep in zip(tokens.cpu(), mask.bool().cpu())]
    images = [row.mul(255).cpu() for row in tokens]
    return plain, other, on_host, images, [len(row) for row in tokens], [row[:3].shape for row in mask]


# ok: rows that are drawn, and a check
def drawn(ax, values: torch.Tensor, sizes: torch.Tensor):
    for i, value in enumerate(values):
        ax.plot(i, value.detach().cpu())
    for size in sizes:
        if not torch.equal(size, sizes[0]):
            raise ValueError(size)


# ok: lists, what a turn makes itself or the program computes, what ends the loop, and what the CPU has
def otherwise(x: torch.Tensor, names: list[str], keep: list[bool], measure):
    found = [name for name, flag in zip(names, keep) if flag]
    for i in range(x.shape[0]):
        found.append(measure(x[i]).item())
        part = x[i] / x[i].sum()
        found.append(part.amax().item())
    for row in x:
        if row.sum() > 1:
            break
        found.append(row.amax().item())
    return found, [a for a, b in zip(x.cpu(), x.cpu() > 1) if b]


# case: pairs of numbers are counted one by one, on the CPU as well
def confusion(guesses: torch.Tensor, labels: torch.Tensor, n: int):
    matrix, seen = torch.zeros(n, n), torch.zeros(n, dtype=torch.long)
    for label, guess in zip(labels, guesses):  # expect: TPL608 @ zip(labels, guesses)
        matrix[label.long(), guess.long()] += 1
    for label in labels.view(-1):  # expect: TPL608 @ labels.view(-1)
        seen[label] += 1
    for i in range(len(labels)):  # expect: TPL608 @ range(len(labels))
        matrix[labels[i].item(), guesses[i].item()] += 1
    return matrix, seen


# ok: names and lists that are counted, other numbers than one that are added, more than a count, a table of Python
def tallied(names: list[str], pairs: list[tuple[int, int]], labels: torch.Tensor, weights: torch.Tensor, places: list[int]):
    table, seen = torch.zeros(8, 8), {}
    for one, other in pairs:
        table[one, other] += 1
    for label in labels.tolist():
        seen[label] += 1
    for label, weight in zip(labels, weights):
        table[label, label] += weight
    for label in labels:
        table[label, 0] += 1
        print(names)
    for i in range(len(places)):
        table[places[i], 0] += 1
    return table, seen


# case: rows are written up to a length each
class Padding(nn.Module):
    def forward(self, x: torch.Tensor, lengths: list[int], metas):
        mask = torch.zeros(x.shape[0], x.shape[1], dtype=torch.bool, device=x.device)
        inside = x.new_ones((x.shape[0], 3, 3))
        for i, n in enumerate(lengths):  # expect: TPL608 @ enumerate(lengths)
            mask[i, :n] = True
        for i in range(x.shape[0]):  # expect: TPL608 @ range(x.shape[0])
            mask[i, len(metas[i]) :] = False
        for i in range(len(metas)):  # expect: TPL608 @ range(len(metas))
            height, width = metas[i].shape[:2]
            inside[i, :height, :width] = 0
        for i in range(x.shape[1]):  # expect: TPL608 @ range(x.shape[1])
            block = i // 4
            mask[i, : (block + 1) * 4] = False
        return mask, inside


# ok: nothing in sight runs it with every batch
def padding(x: torch.Tensor, lengths: list[int]):
    mask = torch.zeros(x.shape[0], x.shape[1], dtype=torch.bool, device=x.device)
    for i, n in enumerate(lengths):
        mask[i, :n] = True
    return mask


# ok: the same part of each row, a row that a call gives, a tensor that is written, a step, more than that, an array
class Parts(nn.Module):
    def forward(self, x: torch.Tensor, lengths: list[int], rows: int, pick):
        mask = torch.zeros(x.shape[0], x.shape[1], dtype=torch.bool, device=x.device)
        for i, _ in enumerate(lengths):
            mask[i, :5] = True
        for i, n in enumerate(lengths):
            mask[pick(i), :n] = True
        for i, n in enumerate(lengths):
            mask[i, : pick(n)] = True
        for i, n in enumerate(lengths):
            mask[i, :n] = x[i, :n] > 0
        for i, n in enumerate(lengths):
            mask[i, ::n] = True
        for i, n in enumerate(lengths):
            mask[i, :n] = True
            pick(mask)
        for i, n in enumerate(lengths):
            np.zeros((rows, 5))[i, :n] = 1
        for i in range(4):
            mask[i, : lengths[i]] = True
        return mask


# case: what indices say is taken place by place
def taken(x: torch.Tensor, places: torch.Tensor):
    x, places = x.view(64, 64), places.long()
    out, last = torch.zeros_like(x), x.new_zeros(len(x))
    for i in range(len(x)):  # expect: TPL608 @ range(len(x))
        last[i] = x[i, places[i]]
    for i in range(x.shape[0]):  # expect: TPL608 @ range(x.shape[0])
        for j in range(x.shape[1]):
            out[i, j] = x[i][places[i][j]]
    return out, last


# ok: places that Python has, a call, one place for all, lists
def otherwise_taken(x: torch.Tensor, places: list[int], rows: list[torch.Tensor], index: torch.Tensor, pick):
    last = x.new_zeros(len(x))
    for i in range(len(places)):
        last[i] = x[i, places[i]]
    for i in range(len(x)):
        last[i] = pick(x[i, index[i]])
    for i in range(len(x)):
        last[0] = x[i, index[i]]
    for i in range(len(rows)):
        last[i] = rows[i][index[i]]
    return last


# case: no turn hangs on another
class Dice(nn.Module):
    def __init__(self, classes: int):
        super().__init__()
        self.classes = classes

    def forward(self, logits: torch.Tensor, labels: torch.Tensor):
        loss, x = 0, logits.softmax(1)
        for c in range(self.classes):  # expect: TPL608 @ range(self.classes)
            """The share of one class."""
            guess, label = x[:, c], labels[:, c]
            loss += 1 - (guess * label).sum() / (guess.sum() + label.sum())
        for c in range(self.classes):  # expect: TPL608 @ range(self.classes)
            guess = x[:, c]
            label = (labels == c).float()
            loss += 1 - 2 * (guess * label).sum() / (guess.sum() + label.sum())
        return loss


def pulses(distance: torch.Tensor, edges: int, x: torch.Tensor):
    at = torch.linspace(0, 4, edges, device="cuda")
    histogram = torch.zeros(8, edges, device="cuda")
    for i in range(edges):  # expect: TPL608 @ range(edges)
        pulse = torch.relu(1 - torch.abs(distance - at[i]) / 3)
        histogram[:, i] = torch.sum(pulse * x, dim=1)
    return histogram


def encode(labels: torch.Tensor, classes: int):
    parts = []
    for c in range(classes):  # expect: TPL608 @ range(classes)
        part = labels == c
        parts.append(part.unsqueeze(1))
    return torch.cat(parts, dim=1).float()


# ok: a turn needs another, or something that the loop leaves; lists, modules, functions of the program, what is drawn or read;
# a few turns, a large sum, blocks, rows of several sizes, what memory asks for
def hanging(x: torch.Tensor, y: torch.Tensor, n: int, net: nn.Module, scales: list[float], measure):
    x, y, out, rows, seen, total = x.cuda(), y.cuda(), torch.zeros(n, device="cuda"), [], [], 0
    for c in range(n):
        total = total * 2
        total += (x[:, c] * y[:, c]).sum()
    for c in range(1, n):
        out[c] = (x[:, c] * out[c - 1]).sum()
    for c in range(n):
        out[c] = (x[:, c] * y[:, c]).sum() * scales[c]
    for c in range(n):
        out[c] = net(x[:, c] * 2).sum()
    for c in range(n):
        out[c] = measure(x[:, c] * 2).sum()
    for c in range(n):
        out[c] = (torch.rand_like(x[:, c]) * y[:, c]).sum()
    for c in range(n):
        rows.append((x[:, c] * y[:, c]).sum().item())
    for c in range(n):
        last = x[:, c] * y[:, c]
        out[c] = last.sum()
    for c in range(4):
        out[c] = (x[:, c] * y[:, c]).sum()
    for c in range(n):
        total += x[:, c] * y[:, c]
    for c in range(0, n, 64):
        out[c] = (x[:, c] * y[:, c]).sum()
    for c in range(n):
        out[c] = (x[:, c : c + 3] * y[:, c]).sum()
    for c in range(n):
        out[c] = (x[y == c] - y[c]).norm()
    for c in range(n):
        seen.append((x[:, c] * y[:, c]).sum())
    # less memory than all at once
    for c in range(n):
        out[c] = (x[:, c] * y[:, c]).sum()
    return total, out, rows, last, measure(seen)


# ok: made once
class Table(nn.Module):
    def __init__(self, x: torch.Tensor, n: int):
        super().__init__()
        kernel = torch.zeros(3, n, device="cuda")
        for c in range(n):
            kernel[:, c] = torch.exp(-(x.cuda()[:, c] ** 2))
        self.register_buffer("kernel", kernel)


# case: parts of one length
class Quarter(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, n: int):
        parts = [x[i * n : (i + 1) * n] for i in range(4)]  # expect: TPL608 @ range(4)
        again = [y[:, y.size(0) * k : y.size(0) * k + y.size(0)] for k in range(len(y))]  # expect: TPL608 @ range(len(y))
        return parts, again


# ok: parts that overlap, and of a list
class Windows(nn.Module):
    def forward(self, x: torch.Tensor, n: int):
        parts = [x[i * n : (i + 2) * n] for i in range(4)]
        names = list(range(12))
        return parts, [names[i * n : (i + 1) * n] for i in range(4)], [x[i + n : (i + 1) * n] for i in range(4)]
