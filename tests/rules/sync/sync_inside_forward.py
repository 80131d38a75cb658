import torch
from torch import nn
import torch.nn.functional as F


# doc: A check for NaN in every layer, and the real tokens alone for the head
class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        x = torch.relu(self.fc(x))
        if torch.isnan(x).any():  # expect: TPL102 @ torch.isnan(x).any()
            raise FloatingPointError("NaN behind a block")
        return x


class Tagger(nn.Module):
    def __init__(self, width, tags):
        super().__init__()
        self.blocks = nn.Sequential(Block(width), Block(width))
        self.head = nn.Linear(width, tags)

    def forward(self, x, lengths):
        longest = int(lengths.max())  # expect: TPL102 @ int(lengths.max())
        x = self.blocks(x[:, :longest])
        kept = torch.arange(longest, device=x.device) < lengths[:, None]
        return self.head(x[kept])  # expect: TPL102 @ x[kept]


# case: reads, conditions and sizes inside a loss, and in what it calls
def scale(weights):
    assert weights.sum() > 0  # expect: TPL102 @ weights.sum() > 0
    return 1 / weights.sum().item()  # expect: TPL102 @ weights.sum().item()


class Weighted(nn.Module):
    def forward(self, logits, labels, weights):
        loss = F.cross_entropy(logits, labels, reduction="none")
        while loss.max() > 1e4:  # expect: TPL102 @ loss.max() > 1e4
            loss = loss / 10
        assert (labels >= 0).all()  # expect: TPL102 @ (labels >= 0).all()
        positive = labels.nonzero()  # expect: TPL102 @ labels.nonzero()
        chosen = torch.masked_select(loss, labels > 0)  # expect: TPL102 @ torch.masked_select(loss, labels > 0)
        return loss.mean() * scale(weights) + len(positive) + chosen.mean()


# case: several reads under one mask are one finding; under another mask, another
class Split(nn.Module):
    def forward(self, x, y, mask):
        mask = mask > 0
        a, b = x[mask], y[mask]  # expect: TPL102 @ x[mask]
        mask = ~mask
        c = x[mask]  # expect: TPL102 @ x[mask]
        return a.sum() + b.sum() + c.sum()


# case: in a loop over steps, what depends on the data in its size
def evaluate(model, loader, names):
    model.cuda()
    hits = [0] * len(names)
    with torch.no_grad():
        for x, y in loader:
            y = y.cuda()
            right = model(x.cuda()).argmax(dim=1) == y
            present = torch.unique(y)  # expect: TPL102 @ torch.unique(y)
            found = y[right]  # expect: TPL102 @ y[right]
            hits.append((len(present), found))
    return hits


# case: where another rule knows a cure, or asks for a measurement, it speaks
class Better(nn.Module):
    def forward(self, x, y):
        if not (x > 0).any():  # expect: TPL103 @ not (x > 0).any()
            return y
        if torch.isnan(x).any():  # expect: TPL103 @ torch.isnan(x).any()
            x = torch.nan_to_num(x)
        changed = not torch.equal(x, y)  # expect: TPL102 @ torch.equal(x, y)
        if changed:
            return x
        return [v.item() for v in x.flatten()]  # expect: TPL107 @ v.item()


# case: what goes to the host and comes back
class Sorted(nn.Module):
    def forward(self, x):
        order = x.norm(dim=1).cpu().argsort()  # expect: TPL102 @ x.norm(dim=1).cpu()
        return x[order.to(x.device)]


# ok: what a tensor is made of, settings, and lengths that the host has
class Metadata(nn.Module):
    def __init__(self, dropout=0.0, scale=None):
        super().__init__()
        self.dropout = dropout
        self.scale = scale
        self.register_buffer("mask", torch.ones(3, dtype=torch.bool))

    def forward(self, x, lengths: list[int], mask=None, causal=False):
        if mask is not None and x.shape[1] != mask.shape[1]:
            raise ValueError(f"{x.shape} and {mask.shape}")
        if self.training and self.dropout > 0 and x.requires_grad:
            x = F.dropout(x, self.dropout)
        if x.is_cuda and x.dtype == torch.float16 or x.is_floating_point():
            x = x.float()
        if causal or self.scale:
            x = x * 2
        longest = max(lengths)
        assert x.dim() == 3 and len(x) == x.size(0)
        return x[:, :longest].split(lengths)


# ok: a fill under a mask, and a choice of the full size
class Filled(nn.Module):
    def forward(self, x, mask):
        x = torch.where(mask > 0, x, torch.inf)
        x[mask == 0] = 0
        x.masked_fill_(mask < 0, -1.0)
        index = x.argmax(dim=-1)
        return x.gather(-1, index[..., None]), x[torch.arange(3, device=x.device)]


# ok: behind a switch, for debugging, in an error
class Switched(nn.Module):
    def __init__(self, debug=False, check_nan=False):
        super().__init__()
        self.debug = debug
        self.check_nan = check_nan

    def forward(self, x):
        if self.debug:
            assert (x > 0).all()
        if self.check_nan and torch.isnan(x).any():
            raise ValueError
        if __debug__:
            assert torch.isfinite(x).all()
        if x.dim() != 2:
            raise ValueError(f"{x.mean().item()}")
        return x


# ok: code that is traced, scripted or compiled alone
class Exported(nn.Module):
    def forward(self, x):
        if torch.jit.is_scripting() or torch.jit.is_tracing():
            assert (x > 0).all()
        if torch.compiler.is_compiling():
            x = x[x > 0]
        return x


# ok: a function that only tracing calls
import torchvision


def merge(x):
    if x.sum() > 0:
        x = x[x > 0]
    return x


class Traced(nn.Module):
    def forward(self, x):
        if torchvision._is_tracing():
            return merge(x)
        return x


# ok: values of the CPU
class Host(nn.Module):
    def forward(self, x):
        if torch.rand(1) < 0.5:
            x = x.flip(-1)
        start = torch.randint(0, 4, (1,)).item()
        spans = torch.linspace(0, x.shape[-1], 4)
        return x[..., start:], [int(span) for span in spans]


# ok: a plan of the host by default, and whatever the caller gives in its place
class Planned(nn.Module):
    def __init__(self, depth: int, plan=None):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(depth))
        self.plan = torch.ones((depth, 2)) if plan is None else plan

    def forward(self, x: torch.Tensor, rows: torch.Tensor):
        kept = rows.cpu()
        if len(kept) > 3:
            kept = shorten(kept)
        best = kept[kept.abs().argmax()]
        for row, layer in enumerate(self.layers):
            if self.plan[row][0]:
                x = layer(x) * best
        return x


# ok: a checker whose answer blackens images that are arrays of the host
import numpy as np


class Checker(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.head = nn.Linear(width, 1)

    def forward(self, features, images, threshold=0.5):
        flagged = (self.head(features).flatten() > threshold).tolist()
        for index, each in enumerate(flagged):
            if each:
                images[index] = np.zeros(images[index].shape)
        return images, flagged


# ok: what goes to a library of the host, and what the caller gets there
from scipy.optimize import linear_sum_assignment


class Matcher(nn.Module):
    def forward(self, costs):
        rows, columns = linear_sum_assignment(costs.detach().cpu().numpy())
        return rows, columns


class Remote(nn.Module):
    def __init__(self, session):
        super().__init__()
        self.session = session
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        rows = [row.mean() for row in x.cpu().numpy()]
        if self.session is not None and rows:
            return self.session.run(None, {"x": x.cpu().numpy()})
        return self.fc(x).cpu()


# case: sizes that become a list by way of the host, or of NumPy
class Ragged(nn.Module):
    def forward(self, x: torch.Tensor, keep: torch.Tensor):
        sizes = keep.sum(1).cpu().numpy().astype(int).tolist()  # expect: TPL102 @ keep.sum(1).cpu()
        return [part.mean(0) for part in x.split(sizes)]


class Grouped(nn.Module):
    def forward(self, x: torch.Tensor, keep: torch.Tensor):
        return x.split(keep.sum(1).cpu().tolist())  # expect: TPL102 @ keep.sum(1).cpu()


# ok: an array that stays on the host, though a list is made of it later
class Scored(nn.Module):
    def forward(self, x: torch.Tensor):
        scores = x.softmax(-1).cpu().numpy()
        return scores, scores.tolist()


# ok: suppression of boxes has no other form
import torchvision
from torchvision.ops import batched_nms


class Boxes(nn.Module):
    def forward(self, boxes, scores, labels):
        keep = batched_nms(boxes, scores, labels, 0.5)
        return torchvision.ops.nms(boxes, scores, 0.5), keep


# ok: what is made once, when the module is
class Made(nn.Module):
    def __init__(self, weights: torch.Tensor):
        super().__init__()
        self.largest = weights.max().item()
        self.register_buffer("rows", weights[weights > 0])

    def forward(self, x):
        return x / self.largest


# ok: arguments of a function of autograd that are no tensors
class Mode(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, mode):
        if mode == 0:
            return x * 2
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad, None


# ok: sizes that come in pairs
class Pooled(nn.Module):
    def forward(self, features, sizes):
        height, width = sizes[-1]
        if height * width != features.shape[1]:
            features = features[:, : height * width]
        return features.view(-1, height, width)


# ok: sizes in a shape, names in a table, and what is asked for in the output of a model
class Merging(nn.Module):
    def __init__(self, net: nn.Module, source: str):
        super().__init__()
        self.net, self.top = net, Pooling(source)

    def forward(self, x, rows, columns, more):
        batch, length, channels = x.shape
        assert length == rows * columns, "wrong size"
        x = x.view(batch, rows, columns, channels)
        if rows % 2 == 1 or columns % 2 == 1:
            x = F.pad(x, (0, 0, 0, columns % 2, 0, rows % 2))
        assert "mask" in more
        features = self.net(x.cuda())
        return self.top(features if self.top.source in features else x)


# ok: what says how far the training is, and in which stage
class Staged(nn.Module):
    def __init__(self, longest: int, final):
        super().__init__()
        self.longest, self.final = longest, final

    def forward(self, x, current_epoch, stage):
        loss = x.cuda().square().mean()
        if current_epoch > self.longest and stage == self.final.stage:
            loss = loss * 2
        return loss


# ok: reads at the end of a step are for other rules
def train(model, loader, optimizer):
    model.cuda()
    total = 0.0
    for x in loader:
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total


# ok: numbers that say which way to go, a list that is empty or not, and a tensor where only numbers come
class Phased(nn.Module):
    def forward(self, x: torch.Tensor, parts, phase, turn):
        if turn < 2 * self.args.warmup + 1:
            return x
        if phase == 0:
            return x.relu()
        elif phase == 1:
            return x.tanh()
        found = [x[i] for i in range(parts)]
        if found != []:
            found = torch.stack(found)
        factor = 1.0 + 1.0 * (x.size(2) > 1)
        if isinstance(factor, torch.Tensor):
            factor = factor.item()
        return found.repeat_interleave(int(factor), dim=2)


# ok: what was found to be no tensor, and places that the host counts
class Lens(nn.Module):
    def forward(self, x, angle, sizes: list[int]):
        def row(value):
            if torch.is_tensor(value):
                return value.to(device=x.device, dtype=x.dtype)
            return torch.tensor([value], dtype=torch.float32).to(x.device)

        grid = torch.stack(torch.meshgrid(*[torch.arange(size) for size in sizes], indexing="ij"))
        last = grid.view(-1).max().item()
        return x * row(angle) + last


# ok: it says first that something is wrong
class Bounded(nn.Module):
    def forward(self, x: torch.Tensor, limit: float):
        loss = x.mean()
        if limit < 0:
            print(f"a limit below zero, set to {loss.item()}")
            limit = loss.item()
        return loss * limit


# case: a loss that is no module, built before all steps and called at each
class MatchingLoss:
    def __call__(self, scores: torch.Tensor, targets: torch.Tensor):
        return self.matched(scores, targets).mean()

    def matched(self, scores, targets):
        return scores[targets > 0]  # expect: TPL102 @ scores[targets > 0]


# ok: branches that CUDA does not reach, also where a name keeps the answer
class Compact(nn.Module):
    def forward(self, points: torch.Tensor, mask: torch.Tensor):
        on_host = points.device.type == "cpu"
        valid = torch.isfinite(points).all(dim=-1)
        if on_host:
            points = points[valid]
        if mask.device.type == "mps" and not bool(valid.all()):
            raise ValueError("nothing is valid")
        if on_host:
            points = points[points[:, 0] > 0]
        if not mask.is_cuda:
            return points, mask[mask > 0]
        return points, mask


class Early(nn.Module):
    def forward(self, x: torch.Tensor):
        if x.is_cuda:
            return x.relu()
        return x[x > 0]


# case: a branch for CUDA, and a name that says where something was before it was moved
class Fast(nn.Module):
    def forward(self, x: torch.Tensor):
        on_host = x.device.type == "cpu"
        x = x.to("cuda")
        if on_host:
            x = x[x > 0]  # expect: TPL102 @ x[x > 0]
        if not on_host:
            x = x[x > 1]  # expect: TPL102 @ x[x > 1]
        return x


# ok: what follows an attempt that returns runs when it has failed
class Careful(nn.Module):
    def forward(self, x: torch.Tensor):
        try:
            return self.whole(x)
        except RuntimeError as error:
            if "out of memory" not in str(error):
                raise
        counts = (x > 0).sum(dim=1).tolist()
        return torch.cat([self.whole(row[None, :count]) for row, count in zip(x, counts)])

    def whole(self, x):
        return x * 2


# ok: a table of settings, drawn beside the data and by default on the host
class Mixed(nn.Module):
    def forward(self, image: torch.Tensor, params: dict[str, torch.Tensor]):
        chosen = params["probability"] > 0.5
        if chosen.any():
            image = image.flip(0)
        return image


# ok: a forward that is given a shape draws numbers of its own
class Drops(nn.Module):
    def __init__(self, most: float | torch.Tensor):
        super().__init__()
        self.most = most

    def forward(self, shape: tuple[int, ...], same: bool = False) -> torch.Tensor:
        most = float(self.most.max()) if isinstance(self.most, torch.Tensor) else self.most
        return torch.rand(shape) * most


# case: what is made where a weight is may wait all the same
class Places(nn.Module):
    def __init__(self, rows: int):
        super().__init__()
        self.table = nn.Embedding(rows, 64)

    def forward(self, length: int) -> torch.Tensor:
        rows = torch.rand(length, device="cuda")
        return self.table.weight[rows > 0.5]  # expect: TPL102 @ self.table.weight[rows > 0.5]


# ok: a weight that is moved to the device only behind the check is not there yet
class Weighed(nn.Module):
    def __init__(self, weight: torch.Tensor):
        super().__init__()
        self.register_buffer("weight", weight)

    def forward(self, loss: torch.Tensor):
        if self.weight.min() < 0:
            raise ValueError("weights are not negative")
        return (loss * self.weight.to(loss)).mean()


# ok: a branch for an argument that every caller of the method passes
class Recovered(nn.Module):
    def forward(self, samples: torch.Tensor):
        model = samples.mean(dim=0)
        return self._recovered(samples, model)

    def _recovered(self, samples: torch.Tensor, model: torch.Tensor | None = None):
        if model is None:
            model = samples[samples > 0]
        return samples - model


# ok: a selection that goes straight to the host, and several values that are read at once
def gather(model, loader):
    model.cuda()
    kept = []
    with torch.no_grad():
        for x in loader:
            out = model(x.cuda())
            kept.append(torch.log(out[out > 0]).detach().cpu().numpy())
    return kept


class Best(nn.Module):
    def forward(self, scores: torch.Tensor, counts: torch.Tensor):
        best, most = torch.stack([scores.max(), counts.max()]).tolist()
        return scores * best / max(most, 1.0)


# ok: a last part that is done on the host, in its precision, and what it takes along
class Refined(nn.Module):
    def forward(self, models: torch.Tensor, scores: torch.Tensor):
        host = torch.device("cpu")
        kept = models.to(host).double()[scores.to(host) >= 0]
        better = torch.linalg.lstsq(kept, kept.sum(-1, keepdim=True)).solution
        return better.to(models.device, models.dtype)


# ok: what functions make of tensors of the host is on the host as well
def residuals(points: torch.Tensor) -> torch.Tensor:
    return solved(points)


class Refined(nn.Module):
    def forward(self, points: torch.Tensor):
        errors = residuals(torch.arange(9).double())
        return points * int((errors < 1).sum())


# ok: a batch norm that weighs all batches alike is next to nobody's
class Norm(nn.BatchNorm2d):
    def forward(self, x):
        factor = 0.0
        if self.training and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                factor = 1.0 / float(self.num_batches_tracked)
            else:
                factor = self.momentum
        return nn.functional.batch_norm(x, self.running_mean, self.running_var, momentum=factor)


# case: the loss of a module is a part of every step as well
class Head(nn.Module):
    def forward(self, x):
        return x * 2

    def loss(self, scores: torch.Tensor, labels: torch.Tensor):
        found = labels >= 0
        count = max(1, found.sum().item())  # expect: TPL102 @ found.sum().item()
        return (scores * found).sum() / count


# ok: a part of the batch that is moved further on, and so is not there yet
class Fused(nn.Module):
    def forward(self, batch: torch.Tensor, device=None):
        if batch["long"].sum() == 0:
            return batch["mel"].to(device=device)
        is_long = batch["long"].to(device=device, non_blocking=True)
        return batch["mel"].to(device=device) * is_long


# case: a number of the GPU that is an index more than once is one thing to say
class Routed(nn.Module):
    def __init__(self, experts, width):
        super().__init__()
        self.up = nn.Parameter(torch.randn(experts, width, width))
        self.down = nn.Parameter(torch.randn(experts, width, width))

    def forward(self, x: torch.Tensor, best: torch.Tensor):
        up = self.up[best.argmax()]  # expect: TPL102 @ self.up[best.argmax()]
        chosen = best.argmax()
        up = up + self.up[chosen]  # expect: TPL102 @ self.up[chosen]
        return x @ up @ self.down[chosen]


# ok: the boxes in the text that a model wrote, after it has done so
class Reader:
    def post_process_boxes(self, tokens: torch.Tensor, opening: int, closing: int):
        tokens = tokens.cuda()
        while bool((tokens == opening).any()):
            start = (tokens == opening).nonzero()[0]
            end = (tokens == closing).nonzero()[0]
            tokens = torch.cat([tokens[: int(start)], tokens[int(end) + 1 :]])
        return tokens.tolist()


# ok: what is called so is on the host
def refit(points_host: torch.Tensor, limit: float):
    errors = (points_host - points_host.mean(0)).norm(dim=1)
    if int((errors < limit).sum()) < 8:
        return points_host
    return points_host[errors < limit]


class Fitted(nn.Module):
    def forward(self, points: torch.Tensor, points_host: torch.Tensor):
        return points - refit(points_host, 0.1).mean(0).to(points.device)


# ok: a sparse matrix times a dense one: the size of the result is known, and it waits only if it must be coalesced
class GraphLayer(nn.Module):
    def forward(self, x, adjacency: torch.Tensor):
        return torch.sparse.mm(adjacency, x) + torch.mm(adjacency, x)


# ok: the docstring says that they are numbers
class MultiBoxLoss(nn.Module):
    def forward(self, boxes, crowds, classes):
        """Of a batch.

        Args:
            boxes (list<tensor>): one for each image
            crowds (list<int>): how many of its boxes are crowds
            classes (int, optional): how many there are
        """
        total = boxes[0].cuda().sum()
        for i in range(len(boxes)):
            crowd = crowds[i]
            if crowd > 0 and classes > 1:
                total = total + boxes[i][:-crowd].sum()
        return total


# ok: a function that makes its step of what the one around it is given
def train_scaled(args, loader):
    device = torch.device("cuda:" + str(args.offset))
    model = nn.Linear(args.width, 8)
    optimizer = torch.optim.Adam(model.parameters(), weight_decay=args.decay)
    scaler = torch.amp.GradScaler()

    def step(batch):
        loss = model(batch.cuda(device)).sum()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()

    for batch in loader:
        step(batch)


# ok: what numbers are reckoned from, and what a function of torch takes for sizes
import math


class Decay(nn.Module):
    def forward(self, x: torch.Tensor, graph: torch.Tensor, scale, depth, size):
        rate = math.log(scale / depth + 1)
        rows = int((size[0] + 2) / 4 + 1)
        folded = F.fold(x.cuda(), output_size=size, kernel_size=(rows, 2))
        return folded * rate


# ok: the way of the CPU, which is gone after an error alone
class Assigned(nn.Module):
    def forward(self, x: torch.Tensor, boxes: torch.Tensor):
        try:
            return self.assign(x, boxes)
        except RuntimeError:
            return self.assign(x, boxes, "cpu")

    def assign(self, x: torch.Tensor, boxes: torch.Tensor, mode: str = "gpu"):
        if mode == "cpu":
            x, boxes = x.cpu().float(), boxes.cpu()
        found = x @ boxes
        return found.cuda() if mode == "cpu" else found


# case: numbers of the GPU in a list become a tensor by way of the host
class Gathered(nn.Module):
    def forward(self, x: torch.Tensor):
        first, second = x.sum(), x.mean()
        return torch.Tensor([first, second])  # expect: TPL102 @ torch.Tensor([first, second])


# case: the same at each step of a training
def train(model: nn.Module, loader, optimizer, shared):
    model.cuda()
    for x in loader:
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        both = torch.tensor([loss.detach(), loss.detach() / 2]).cuda()  # expect: TPL102 @ torch.tensor([loss.detach(), loss.detach() / 2])
        shared.reduce(both, torch.tensor([len(x), 2.0]).cuda())


# case: a matrix of tensors
class Turned(nn.Module):
    def forward(self, x: torch.Tensor, angle: torch.Tensor):
        c, s = angle.cos(), angle.sin()
        return x @ x.new_tensor([[c, -s], [s, c]])  # expect: TPL102 @ x.new_tensor([[c, -s], [s, c]])


# ok: numbers of Python, torch's own way
class Stacked(nn.Module):
    def forward(self, x: torch.Tensor):
        return torch.stack([x.sum(), x.mean()]), torch.Tensor([x.shape[0], 2.0]), torch.Tensor(3, 4)


# case: what constants leave off, by way of a constructor, and what a call that runs often passes: hints
class Window(nn.Module):
    def __init__(self, kind: str = "window"):
        super().__init__()
        self.kind = kind

    def forward(self, x: torch.Tensor):
        if self.kind == "window":
            return x
        return x * x.sum().item()  # expect: TPL102 @ x.sum().item()


class Windows(nn.Module):
    def __init__(self, kind: str = "window"):
        super().__init__()
        self.layers = nn.ModuleList([Window(kind=kind) for _ in range(9)])

    def forward(self, x: torch.Tensor, lengths: torch.Tensor):
        for layer in self.layers:
            x = layer(x)
        return x * to_mask(lengths, x.shape[1])


def to_mask(lengths: torch.Tensor, most: int | None = None):
    longest = lengths.max().item() if not most else most  # expect: TPL102 @ lengths.max().item()
    return torch.arange(longest, device=lengths.device) < lengths[:, None]


def count(lengths: torch.Tensor):
    return to_mask(lengths).sum()


# ok: one tensor, passed twice, is equal to itself: torch sees that first
class Attention(nn.Module):
    def forward(self, query, key):
        return query if torch.equal(query, key) else query @ key.mT


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = Attention()

    def forward(self, x):
        return self.attention(x, x)


# case: two that one call passes apart
class CrossAttention(nn.Module):
    def forward(self, query, key):
        return query if torch.equal(query, key) else query @ key.mT  # expect: TPL102 @ torch.equal(query, key)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = CrossAttention()
        self.memory = CrossAttention()

    def forward(self, x, memory):
        return self.memory(self.attention(x, x), memory)


# ok: a generation that ends by way of a flag: a turn of a model is worth more than the wait
class Speaker(nn.Module):
    def __init__(self):
        super().__init__()
        self.step, self.end = nn.Linear(8, 8), 3

    def forward(self, tokens: torch.Tensor, most: int):
        ended = False
        for _ in range(most):
            logits = self.step(tokens)
            if torch.argmax(logits, dim=-1)[0] == self.end or tokens[0, 0] == self.end:
                ended = True
            if ended:
                break
        return tokens
