import numba
import taichi
import torch
from torch import nn
import torch.nn.functional as F


# doc: A loss is skipped when it is not finite
def train(model, loader, optimizer):
    model.cuda()
    for x, y in loader:
        x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
        loss = F.cross_entropy(model(x), y)
        if not torch.isfinite(loss):  # expect: TPL103 @ not torch.isfinite(loss)
            continue
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# case: a choice between two tensors inside forward
class Gate(nn.Module):
    def forward(self, x, y):
        return x * 2 if x.mean() > 0 else y  # expect: TPL103 @ x.mean() > 0


# case: a count decides which tensor goes on
class Count(nn.Module):
    def forward(self, x, mask: torch.Tensor):
        return x * 2 if (mask > 0).sum() else x  # expect: TPL103 @ (mask > 0).sum()


# case: an assertion and a loop inside forward
class Checked(nn.Module):
    def forward(self, x):
        assert (x >= 0).all()  # expect: TPL103 @ (x >= 0).all()
        while x.norm() > 1:  # expect: TPL103 @ x.norm() > 1
            x = x * 0.5
        return x


# case: `and` asks for the truth of its left side, a chained comparison for its first part
class Both(nn.Module):
    def forward(self, x, y):
        if x.max() > 3 and y.max() > 3:  # expect: TPL103 @ x.max() > 3 and y.max() > 3
            x = x / 2
        if 0 < x.sum() < 3:  # expect: TPL103 @ 0 < x.sum() < 3
            x = x * 2
        return x


# case: a name that is bound under a condition and to nothing else
class Scaled(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x, y):
        if torch.isnan(x).any():  # expect: TPL103 @ torch.isnan(x).any()
            x = torch.nan_to_num(x)
        if x.sum():  # expect: TPL103 @ x.sum()
            z = x * 2
        else:
            z = y.clamp(min=0)
        if y.mean() > 0:  # expect: TPL103 @ y.mean() > 0
            y = self.fc(y)
        elif y.mean() < -1:  # expect: TPL103 @ y.mean() < -1
            y = -y
        return y.norm() if torch.equal(x, y) else z  # expect: TPL103 @ torch.equal(x, y)


# case: a loss that is switched off, and one that decides which tensor goes on
def train(model, loader, optimizer):
    model.cuda()
    for x, y in loader:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        if torch.isnan(loss):  # expect: TPL103 @ torch.isnan(loss)
            loss = torch.zeros_like(loss)
        if bool(loss > 100):  # expect: TPL103 @ bool(loss > 100)
            optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# case: leaving early may pay
class Search(nn.Module):
    def forward(self, x: torch.Tensor):
        for _ in range(50):
            step = x.exp() - x
            x = x - step
            if step.abs().max() < 1e-3:  # expect: TPL103 @ step.abs().max() < 1e-3
                break
        return x


# case: a training that ends on an error saves nothing
def train(model: nn.Module, loader, optimizer):
    model.cuda()
    for x in loader:
        loss = model(x.cuda()).sum()
        if loss.isnan():  # expect: TPL103 @ loss.isnan()
            break
        loss.backward()
        optimizer.step()


# ok: leaving early saves turns of a model
def generate(model, tokens: torch.Tensor, end, steps):
    model.cuda()
    tokens = tokens.cuda()
    for _ in range(steps):
        new = model(tokens)[:, -1].argmax(dim=-1)
        tokens = torch.cat([tokens, new[:, None]], dim=1)
        if (new == end).all():
            break
    return tokens


# case: `in`, comprehensions with conditions, ternaries that choose no tensor
def count(model, loader, wanted: torch.Tensor):
    model.cuda()
    wanted = wanted.cuda()
    hits = 0
    with torch.no_grad():
        for x in loader:
            best = model(x.cuda()).argmax()
            if 3 in wanted:  # expect: TPL103 @ 3 in wanted
                hits += 1
            hits += 1 if best == 2 else 0  # expect: TPL103 @ best == 2
            hits += len([w for w in wanted if w > 0])  # expect: TPL103 @ w > 0
    return hits


# case: a name that may be None until a condition binds it gets no fix
def padded(model, loader, optimizer, valid: torch.Tensor | None = None):
    model.cuda()
    for x in loader:
        out = model(x.cuda())
        if valid is None:
            empty = (out == 0).all(dim=-1)
            if empty.any():  # expect: TPL103 @ empty.any()
                valid = ~empty
        loss = out[valid].mean() if valid is not None else out.mean()
        loss.backward()
        optimizer.step()


# case: what may be a number of Python's as well gets no fix
def lengthened(model, loader, lengths: torch.Tensor, **settings):
    lengths = lengths.cuda()
    longest = settings.get("longest", lengths.max())
    for x in loader:
        row = model(x.cuda())
        row = row * 2 if x.shape[0] < longest else row  # expect: TPL103 @ x.shape[0] < longest
        row.sum().backward()


# case: what begins as a tensor without elements has not the sizes of what it becomes: no fix
def gathered(model, loader, turns: torch.Tensor):
    turns = turns.cuda()
    for x in loader:
        rotated = torch.tensor([], device=x.device)
        for turn in turns:
            if turn == 0.0:  # expect: TPL103 @ turn == 0.0
                rotated = x.transpose(1, 2)
        model(rotated).sum().backward()


# case: where a side joins, pads or cuts tensors, it has not the sizes of the other: no fix
class Cached(nn.Module):
    def forward(self, tokens: torch.Tensor, kept: torch.Tensor):
        accepted = (tokens == kept).sum()
        if accepted > 0:  # expect: TPL103 @ accepted > 0
            valid = torch.cat((tokens[:, :4], kept), dim=-1)
        else:
            valid = kept
        if valid[-1].sum() == 0:  # expect: TPL103 @ valid[-1].sum() == 0
            valid = valid[:-1]
        good = valid > 0
        return valid[good] if good.all() else valid  # expect: TPL103 @ good.all()


# ok: what a tensor is made of is known to the host
class Metadata(nn.Module):
    def forward(self, x, mask=None):
        if mask is not None:
            x = x.masked_fill(mask, 0)
        if x.shape[0] > 3 and x.requires_grad and x.is_floating_point():
            x = x * 2
        if x.numel() and len(x) > 2 and x.is_cuda:
            x = x + 1
        return x


# ok: the values live on the CPU
def augment(images):
    out = []
    for image in images:
        if torch.rand(1) < 0.5:
            image = image.flip(-1)
        out.append(image)
    return out


# ok: once every so many steps
def train(model, loader, optimizer):
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            if torch.isnan(loss):
                raise FloatingPointError
        if step == 0:
            assert loss > 0


# ok: a flag of Python
class Flagged(nn.Module):
    def __init__(self, use_bias=True):
        super().__init__()
        self.use_bias = use_bias
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        if self.use_bias and self.training:
            x = x + 1
        return self.fc(x) if self.use_bias else x


# ok: whether there is one, what kind it is, where it is
class Optional(nn.Module):
    def forward(self, x, weight=None, bias: torch.Tensor | None = None):
        if weight is None or bias is not None and bias.is_contiguous():
            x = x * 2
        if isinstance(x, torch.Tensor) and x.dim() == 3 or x.ndim > 4:
            x = x + 1
        if x.device == torch.device("cpu") or x.dtype in (torch.float16, torch.bfloat16):
            x = x.float()
        if x.size(0) > 1 and x.stride(0) > 1 and x.is_sparse or x.is_leaf:
            x = x.contiguous()
        return x if torch.is_tensor(weight) else x.detach()


# ok: whether there is a second half, of which the truth would raise
def sample(model: nn.Module, x: torch.Tensor, steps: int, learned: bool):
    for t in range(steps):
        mean, spread = model(x), None
        if learned:
            mean, spread = torch.split(mean, 3, dim=1)
        log_spread = torch.log(spread) if spread else torch.zeros_like(mean)
        x = mean + log_spread.exp() * torch.randn_like(mean)
    return x


# ok: behind a switch, or for debugging
class Careful(nn.Module):
    def __init__(self, debug=False):
        super().__init__()
        self.debug = debug

    def forward(self, x):
        if self.debug and torch.isnan(x).any():
            raise ValueError("NaN")
        if torch.is_anomaly_enabled():
            assert torch.isfinite(x).all()
        return x


# ok: arrays and Python numbers look alike
import numpy as np


def plain(model, loader, optimizer, rows):
    model.cuda()
    best = 0.0
    for step, x in enumerate(loader):
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        row = np.asarray(rows[step])
        if (row > 0).any() and row.max() > 3:
            best = max(best, float(row.mean()))
        if best > 3 and not step:
            best = 0.0


# ok: what a loader, a sampler or a collate function decides
class Rows(torch.utils.data.Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        row = torch.as_tensor(self.rows[index])
        if (row < 0).any() or torch.rand(1) < 0.5:
            row = row.abs()
        return row


# ok: once an epoch
def validate(model, loader, optimizer, epochs):
    model.cuda()
    best = torch.full((), float("inf"), device="cuda")
    for _ in range(epochs):
        total = torch.zeros((), device="cuda")
        for x in loader:
            loss = model(x.cuda()).mean()
            loss.backward()
            optimizer.step()
            total += loss.detach()
        if total < best:
            best = total
    return best


# ok: code that is traced or scripted alone
class Exported(nn.Module):
    def forward(self, x):
        if torch.jit.is_scripting():
            assert (x > 0).all()
        return x


# case: a number is read to decide, at once or by its name, which is logged as well
import math


def skip(model, loader, optimizer):
    model.cuda()
    for x in loader:
        loss = model(x.cuda()).mean()
        value = loss.item()  # expect: TPL103 @ loss.item()
        if value > 100:
            continue
        print("loss", value)
        if not math.isfinite(loss.max().item()):  # expect: TPL103 @ loss.max().item()
            optimizer.lr = 0.1
        loss.backward()
        optimizer.step()


# ok: what the environment, the program or a table needs goes there as well
def play(policy: nn.Module, env, state: torch.Tensor):
    policy.cuda()
    for turn in range(1000):
        action = policy(state.cuda()).argmax().item()
        if action == 3:
            env.rest()
        state = env.step(action)


# ok: tests, whose tools are imported by what they derive from
class LinearTest(KernelTestCase):
    def check(self, model: nn.Module, x: torch.Tensor):
        for _ in range(3):
            loss = model(x.cuda()).sum()
            loss.backward()
            if loss == 0:
                self.fail("no loss")

    def test_linear(self):
        self.check(nn.Linear(3, 3).cuda(), torch.ones(3))


class Likelihoods(Shared):
    def test_all(self, model: nn.Module, x: torch.Tensor):
        for _ in range(3):
            loss = model(x.cuda()).sum()
            loss.backward()
            self.assertTrue(torch.equal(loss, loss.abs()))
            assert_sane(loss)


def assert_sane(loss: torch.Tensor):
    if torch.isnan(loss).any():
        raise ValueError("no number")


# ok: the weights of a model are no batches
def average(averaged: nn.Module, model: nn.Module, count: torch.Tensor):
    for mean, weight in zip(averaged.parameters(), model.parameters()):
        new = weight.detach().to(mean.device)
        mean.data.copy_(new if count == 0 else mean + (new - mean) / (count + 1))


# ok: what each turn of a loop binds anew is not carried from turn to turn
import numpy as np


def parts(images: list, device: torch.device, label):
    found = []
    for image in images:
        part = label(np.asarray(image))
        part = torch.from_numpy(part).to(device)
        if (part == 3).any():
            found.append(part)
    return found


# ok: a number that a tensor is multiplied by, though the product is compared
class Boxes(nn.Module):
    def compute_loss(self, boxes: torch.Tensor, size: torch.Tensor):
        widths = boxes[:, 2] * float(size[1])
        return torch.where(widths >= 2, widths, 0.0).sum()


# ok: the annotation says a tensor, and all who call it pass numbers
def coordinates(count: int, step, offset: int, device):
    start = offset * step[0]
    places = torch.arange(count, device=device) * step[0]
    if start == 0:
        places = places.clamp(min=1)
    return places + start


def windows(frames: torch.Tensor, step: torch.Tensor):
    return coordinates(len(frames), step, 0, frames.device)


class Sampler:
    def __init__(self, ratio: int):
        self.ratio = ratio

    def run(self, model: nn.Module, scheduler, frames: torch.Tensor):
        step = (self.ratio, self.ratio, 1)
        for t in scheduler.timesteps:
            noise = model(frames, windows(frames, step))
            frames = scheduler.step(noise, t, frames).prev_sample
        return frames


# ok: settings of modules that are called like weights are bools, and a weight of several elements can be no condition
class Recurrent(nn.Module):
    def __init__(self, both: bool):
        super().__init__()
        self.lstm = nn.LSTM(3, 4, bidirectional=both)
        self.gru = nn.GRU(3, 4, batch_first=both)

    def forward(self, x):
        if self.lstm.bias and not self.gru.batch_first:
            x = x + 1
        count = 2 if self.lstm.bidirectional or self.gru.bias else 1
        return x * count


# ok: each turn takes another part by its name, once
class Adapters(nn.Module):
    def merge(self, names):
        merged = self.weight.data
        for name in names:
            rows = torch.tensor(self.rows[name]).to(merged.device)
            merged = merged.index_copy(dim=0, index=rows, source=self.deltas[name].to(merged))
            if not torch.isfinite(merged).all():
                raise ValueError(name)
        self.weight.data = merged


# ok: a limit where none is given is no condition
@torch.no_grad()
def generate(model: nn.Module, prompts, lengths: torch.Tensor, most=None):
    for prompt in prompts:
        most = most or (512 - lengths.cuda().max().item() - 1)
        print(model.generate(prompt.cuda(), most))


# case: a choice between whole numbers and floats gets no fix, for both sides would be floats
class Labels(nn.Module):
    def forward(self, y: torch.Tensor, n: int):
        if y.max() >= n:  # expect: TPL103 @ y.max() >= n
            y = y.clamp(0.0, n - 1)
        return y


# case: a choice of which one side is multiplied to the size of the other gets no fix
class Cell(nn.Module):
    def forward(self, x: torch.Tensor, kept: torch.Tensor, weight: torch.Tensor):
        if x.cuda().sum() > 0:  # expect: TPL103 @ x.cuda().sum() > 0
            kept = torch.matmul(kept, weight)
        return kept


# ok: a word that is looked for among what a model knows, though `forward` hands it on
class Languages(nn.Module):
    def __init__(self, languages):
        super().__init__()
        self.languages = languages

    def guided(self, language):
        if language not in self.languages:
            return 0
        return sorted(self.languages).index(language)

    def forward(self, x: torch.Tensor, language):
        return x.cuda() * self.guided(language)


# ok: the hook of a debugger, which somebody switches on to look for an error
class DebugOverflow:
    def __init__(self, model: nn.Module):
        model.register_forward_hook(self.look)

    def look(self, module, given, output: torch.Tensor):
        if torch.isnan(output.cuda()).any():
            print(module)


# case: that of a class which counts
class Counter:
    def __init__(self, model: nn.Module):
        self.count = 0
        model.register_forward_hook(self.look)

    def look(self, module, given, output: torch.Tensor):
        if torch.isnan(output.cuda()).any():  # expect: TPL103 @ torch.isnan(output.cuda()).any()
            self.count += 1


# ok: a compiler of kernels makes machine code of this, in which each thread has its own condition
@taichi.kernel
def march(noise: torch.Tensor, most: torch.Tensor):
    for n in range(3):
        if noise[n] > most.max():
            noise[n] = 0


@numba.njit(cache=True)
def walk(steps: torch.Tensor):
    while steps.max() > 0:
        steps = steps - 1
    return steps


# ok: so it does of layers
class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(8_000, 64)
        self.layers = nn.ModuleList(nn.Linear(64, 64) for _ in range(6))
        self.head = nn.Linear(64, 8_000)

    def forward(self, words: torch.Tensor):
        for _ in range(25):
            x = self.embed(words)
            for layer in self.layers:
                x = layer(x)
            word = self.head(x[:, -1]).argmax(-1)
            if (word == 2).all():
                break
            words = torch.cat((words, word[:, None]), 1)
        return words


# ok: a generation that ends by way of a flag
def speak(model: nn.Module, tokens: torch.Tensor, end: int, most: int):
    model, tokens, ended = model.cuda(), tokens.cuda(), False
    for turn in range(most):
        tokens = torch.cat([tokens, model(tokens).argmax(-1)], dim=1)
        if turn > most:
            ended = True
        if tokens[0, -1] == end:
            ended = True
        if ended:
            break
    return tokens


# case: a flag for which nothing is left
def listen(model: nn.Module, tokens: torch.Tensor, end: int, most: int):
    model, tokens, ended = model.cuda(), tokens.cuda(), False
    for turn in range(most):
        tokens = torch.cat([tokens, model(tokens).argmax(-1)], dim=1)
        if tokens[0, -1] == end:  # expect: TPL103 @ tokens[0, -1] == end
            ended = True
    return tokens, ended
