import torch
from torch import nn
import torch.nn.functional as F


# doc: How often each class occurs
class Counter(nn.Module):
    def __init__(self, names):
        super().__init__()
        self.names = names

    def forward(self, labels: torch.Tensor):
        counts = torch.bincount(labels.flatten(), minlength=len(self.names))
        numbers = [count.item() for count in counts]  # expect: TPL107 @ count.item()
        return dict(zip(self.names, numbers))


# run: Counter(["cat", "dog", "eel"])(integers("...", 0, 5))


# case: comprehensions over a tensor of one dimension
class Sizes(nn.Module):
    def forward(self, labels: torch.Tensor, other: torch.Tensor):
        first = labels.flatten()
        a = [2 * v.item() for v in first if v.item() > 0]  # expect: TPL107 @ v.item() && TPL107 @ v.item()
        b = {i: int(v) for i, v in enumerate(first)}  # expect: TPL107 @ int(v)
        c = [(int(v.item()), w) for v, w in zip(first, range(9))]  # expect: TPL107 @ v.item()
        d = {float(v) for v in torch.unique(other)}  # expect: TPL107 @ float(v)
        return a, b, c, d


# run: Sizes()(anything("n m"), floats("..."))
# run: Sizes()(integers("...", 0, 9), anything("..."))


# case: in loops, by item and by index
def draw(scores: torch.Tensor, canvas):
    best = scores.cuda().flatten()
    for score in best:
        canvas.text(round(score.item(), 2))  # expect: TPL107 @ score.item()
    for i in range(len(canvas)):
        canvas.text(best[i].item())  # expect: TPL107 @ best[i].item()
    widths = [int(best[i]) for i in range(3)]  # expect: TPL107 @ int(best[i])
    return widths


# case: of several dimensions, or of how many nobody knows, there is no fix
class Crop(nn.Module):
    def forward(self, images, boxes):
        parts = []
        for i in range(len(images)):
            parts.append(images[i, :, : int(boxes[i].max())])
        for box in boxes:
            left = box.item()  # expect: TPL107 @ box.item()
            parts.append(images[..., left:])
        return parts


# case: losses in a list or a dict
def train(model, loader, optimizer):
    model.cuda()
    for x, y in loader:
        out = model(x.cuda())
        losses = [F.cross_entropy(out, y.cuda()), F.mse_loss(out, out.detach())]
        sum(losses).backward()
        optimizer.step()
        parts = {"entropy": losses[0], "square": losses[1]}
        numbers = [loss.item() for loss in losses]  # expect: TPL107 @ loss.item()
        named = {name: loss.item() for name, loss in parts.items()}  # expect: TPL107 @ loss.item()
        yield numbers, named


# case: counts among floats, and tensors of which little is known, have no fix
def mixed(model, loader, reduce_dict):
    model.cuda()
    with torch.no_grad():
        for x, y in loader:
            out = model(x.cuda())
            loss = F.cross_entropy(out, y.cuda())
            hits = (out.argmax(1) == y.cuda()).sum()
            yield [v.item() for v in (loss, hits)]  # expect: TPL107 @ v.item()


# case: side by side
def step(model, batch, optimizer):
    out = model(batch.cuda())
    loss, norm = out.mean(), out.square().mean()
    (loss + norm).backward()
    optimizer.step()
    most, least = out.max(), out.min()
    return {"loss": loss.item(), "norm": norm.item(), "most": most.item(), "least": least.item()}  # expect: TPL107 @ loss.item()


# ok: the second of two is read behind the first, and the GPU is idle there
def short_step(model, batch, optimizer):
    out = model(batch.cuda())
    loss, norm = out.mean(), out.square().mean()
    (loss + norm).backward()
    optimizer.step()
    return {"loss": loss.item(), "norm": norm.item()}


# case: rows
class Words(nn.Module):
    def forward(self, tokens: torch.Tensor, step: int):
        seen = []
        for i in range(tokens.shape[0]):
            seen.append(tokens[i].tolist())  # expect: TPL107 @ tokens[i].tolist()
            seen.append(tokens[i, step:].tolist())  # expect: TPL107 @ tokens[i, step:].tolist()
        for row in tokens:
            seen.append(row.tolist())  # expect: TPL107 @ row.tolist()
        return seen, [tokens[i].tolist() for i in range(3)]  # expect: TPL107 @ tokens[i].tolist()


# case: what a mask or a slice leaves of each row
class Unpadded(nn.Module):
    def forward(self, tokens: torch.Tensor, mask: torch.Tensor):
        kept = [row[m].tolist() for row, m in zip(tokens, mask.bool(), strict=True)]  # expect: TPL107 @ row[m].tolist()
        for row in tokens:
            kept.append(row[3:].tolist())  # expect: TPL107 @ row[3:].tolist()
        return kept


# ok: what a turn makes
class Turns(nn.Module):
    def forward(self, tokens: torch.Tensor):
        kept = []
        for row in tokens:
            row = row + tokens[0]
            kept.append(row[1:].tolist())
            kept.append(row.tolist())
        return kept


# ok: rows of what a turn makes, of the host, of a list
class Beams(nn.Module):
    def forward(self, tokens: torch.Tensor, parts: list):
        seen = []
        rows = tokens.cpu()
        for i in range(8):
            tokens = tokens + 1
            seen.append(rows[i].tolist())
            seen.append(parts[i].tolist())
            seen.append(i)
        return seen, tokens


# case: read one by one, and each for a condition
def skip(schedule: torch.Tensor, limit, model, x):
    times = schedule.cuda()
    for i in range(20):
        time = float(times[i].item())  # expect: TPL107 @ times[i].item()
        if time > limit:
            continue
        x = model(x, time)
    return x


# ok: one read of all
def once(labels: torch.Tensor):
    labels = labels.cuda()
    return labels.tolist(), [v * 2 for v in labels.tolist()], sum(labels.cpu().numpy())


# ok: the values live on the CPU
def on_host(n):
    order = torch.randperm(n)
    lengths = torch.tensor([3, 4])
    return [i.item() for i in order], [int(v) for v in lengths.cpu()], {v.item() for v in torch.arange(n)}


# ok: arrays and lists of numbers look alike
import numpy as np


def arrays(rows, numbers: list[float]):
    return [v.item() for v in np.asarray(rows)], [float(v) for v in numbers], [int(v) for v in "123"]


# ok: a loop over batches, or over tensors that are made on the way, reads one number a turn
def evaluate(model, loader):
    model.cuda()
    for x in loader:
        loss = model(x.cuda()).mean()
        if loss.item() > 3:
            break


# ok: behind a gate, in an error, once
def gated(model, loader, optimizer):
    model.cuda()
    for step, x in enumerate(loader):
        out = model(x.cuda()).flatten()
        out.mean().backward()
        optimizer.step()
        if step % 100 == 0:
            print([v.item() for v in out])
        if len(x) == 0:
            raise ValueError([v.item() for v in out])
    return {"last": out.mean().item(), "first": out.max().item()}


# ok: a tensor that is likely on the host, where it is cold; a test
def chosen(indices: torch.Tensor, rows):
    return [rows[i.item()] for i in indices]


def test_values():
    values = torch.arange(3, device="cuda")
    assert [v.item() for v in values] == [0, 1, 2]


# ok: a list of a few tensors where it is cold
def summary(model, x):
    out = model.cuda()(x.cuda())
    losses = [out.mean(), out.max()]
    return [loss.item() for loss in losses]


# missed: a tensor that is read one by one, and used as a tensor as well
def both(scores: torch.Tensor):
    total = 0.0
    scores = scores.cuda()
    while len(scores):
        total += scores[0].item()
        scores = scores[1:]
    return total


# ok: the branch for a tensor is for others: all callers in sight pass a shape
def unfold(x: torch.Tensor, shape: torch.Tensor):
    if isinstance(shape, tuple):
        height, width = shape[-2:]
    elif isinstance(shape, torch.Tensor):
        height, width = (int(shape[0]), int(shape[1]))
    return x.view(height, width)


class Unfolded(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return unfold(x, x.shape)


# case: a number of each item
def train(model: nn.Module, loader, optimizer):
    model.cuda()
    worst = 0.0
    for x in loader:
        model(x.cuda()).mean().backward()
        norms = [p.grad.norm().item() for p in model.parameters()]  # expect: TPL107 @ p.grad.norm().item()
        worst = max(worst, max(norms))
        optimizer.step()
    return worst


# case: an object that the file declares, and makes later
class Service:
    def __init__(self):
        self.model = nn.Linear(8, 1).cuda()

    def predict(self, rows: torch.Tensor):
        return self.model(rows.cuda()).squeeze(-1)


service: Service


def start():
    global service
    service = Service()


def answer(rows):
    risks = service.predict(rows)
    return [risk.item() for risk in risks]  # expect: TPL107 @ risk.item()
