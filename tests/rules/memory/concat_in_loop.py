import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader


# doc: The features of a data set are gathered batch by batch
@torch.no_grad()
def extract(model, dataset, device):
    features = torch.empty(0, 512, device=device)
    for images, _ in DataLoader(dataset, batch_size=64):
        new = F.normalize(model(images.to(device)), dim=1)
        features = torch.cat([features, new])  # expect: TPL502 @ torch.cat([features, new])
    return features


# case: a simulation keeps its trajectory, and a dimension is named
def simulate(state: torch.Tensor, steps: int):
    path = state.unsqueeze(0)
    for step in range(1, steps):
        state = state * 0.99 + torch.randn_like(state)
        path = torch.cat((path, state.unsqueeze(0)), dim=0)  # expect: TPL502 @ torch.cat((path, state.unsqueeze(0)), dim=0)
    return path.mean(0)


# case: several parts at a turn, in nested loops, under an alias
from torch import hstack as beside


def rollout(policy: nn.Module, observations: torch.Tensor, turns: int):
    record = beside([observations, observations])
    for _ in range(turns):
        for observation in observations:
            action = policy(observation)
            # both of them
            record = beside([record, observation, action])  # expect: TPL502 @ beside([record, observation, action])
    return record


# case: a row of indices, and a loop whose turns wait: hints
def padded(lengths: list[int], longest: int, n: int):
    where = torch.zeros(0, dtype=torch.long, device="cuda")
    for turn in range(n):
        row = torch.arange(longest, device="cuda")
        row = row + turn * longest
        where = torch.cat([where, row])  # expect: TPL502 @ torch.cat([where, row])
    return where


def chosen(rows: torch.Tensor, n: int):
    rows = rows.cuda()
    found = rows[:0]
    for turn in range(n):
        found = torch.cat([found, rows[rows > turn]])  # expect: TPL502 @ torch.cat([found, rows[rows > turn]])
    return found


# case: while, and the new part in front, which a list cannot do
def backwards(model: nn.Module, x: torch.Tensor, limit):
    states = x[None]
    while x.norm() > limit:
        x = model(x)
        states = torch.cat([x[None], states])  # expect: TPL502 @ torch.cat([x[None], states])
    return states


# case: with a bar of progress, and of a loader that is numbered
from tqdm import tqdm


@torch.no_grad()
def predict(model: nn.Module, loader: DataLoader, n: int):
    scores = torch.zeros(0).cuda()
    for index, x in enumerate(tqdm(loader)):
        scores = torch.cat([scores, model(x.cuda()).sigmoid()])  # expect: TPL502 @ torch.cat([scores, model(x.cuda()).sigmoid()])
    noise = torch.zeros(0).cuda()
    for index in tqdm(range(n)):
        noise = torch.cat([noise, torch.randn(8, device="cuda")])  # expect: TPL502 @ torch.cat([noise, torch.randn(8, device="cuda")])
    return scores, noise


# case: chunks of which there may be any number
def render(model: nn.Module, rays: torch.Tensor, chunk: int = 4096):
    image = torch.empty(0, 3, device="cuda")
    for start in range(0, rays.shape[0], chunk):
        part = model(rays[start : start + chunk])
        image = torch.cat([image, part.detach()])  # expect: TPL502 @ torch.cat([image, part.detach()])
    return image


# ok: a list, and one concatenation
@torch.no_grad()
def extract(model, dataset, device):
    features = []
    for images, _ in DataLoader(dataset, batch_size=64):
        features.append(model(images.to(device)))
    return torch.cat(features)


# ok: the loop needs the whole so far: a prefix, a cache, a stop
def generate(model, tokens: torch.Tensor, steps: int):
    for _ in range(steps):
        logits = model(tokens)
        tokens = torch.cat([tokens, logits[:, -1:].argmax(-1)], dim=1)
    return tokens


def cached(layer: nn.Module, x: torch.Tensor, steps: int):
    keys = x
    for _ in range(steps):
        x = layer(x)
        keys = torch.cat([keys, x], dim=1)
        x = F.scaled_dot_product_attention(x, keys, keys)
    return x


def until(x: torch.Tensor, size: int):
    while x.shape[0] < size:
        x = torch.cat([x, x + 1])
    return x


# ok: a few turns
def pyramid(x: torch.Tensor):
    maps = x
    for scale in range(4):
        maps = torch.cat([maps, x.roll(scale)])
    for name in ("left", "right"):
        maps = torch.cat([maps, x.flip(0) if name == "left" else x])
    return maps


# ok: each turn makes a whole video, by steps of its own, or a chunk of one: that many turns there are not
def videos(unet: nn.Module, decoder: nn.Module, scheduler, noise: torch.Tensor, count: int, num_chunks: int):
    history = noise
    for _ in range(count):
        latents = torch.randn_like(noise)
        for t in scheduler.timesteps:
            latents = scheduler.step(unet(latents, t), t, latents).prev_sample
        history = torch.cat([history, latents], dim=2)
    shown = decoder(history[:, :, :4])
    for chunk in range(num_chunks):
        shown = torch.cat([shown, decoder(history[:, :, chunk * 4 : chunk * 4 + 4])], dim=2)
    return shown


def decode_all(decoder: nn.Module, latent_chunks, device):
    video = None
    for latents in latent_chunks:
        new = decoder(latents.to(device))
        video = new if video is None else torch.cat([video, new], dim=2)
    return video


# ok: over a list that may as well be short: the layers of a model, the options of a user
class Net(nn.Module):
    def __init__(self, kinds, config):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in kinds)
        self.config = config

    def forward(self, x, extras):
        joined = self.layers[0](x)
        for layer in self.layers:
            joined = torch.cat([joined, layer(x)], dim=1)
        for kind in self.config.kinds:
            joined = torch.cat([joined, x * len(kind)], dim=1)
        for extra, _ in zip(extras, range(100)):
            joined = torch.cat([joined, extra], dim=1)
        for index in range(len(self.layers)):
            joined = torch.cat([joined, self.layers[index](x)], dim=1)
        return joined


# ok: the name starts anew at each turn
def pairs(x: torch.Tensor, steps: int):
    total = x
    for step in range(steps):
        both = x * step
        both = torch.cat([both, x])
        total = total + both.sum()
    return total


# ok: on the CPU, and of arrays
import numpy as np


def gather(model, loader: DataLoader):
    kept, table = torch.zeros(0, 8), np.zeros((0, 8))
    parts = model(torch.zeros(8).cuda())
    for x in loader:
        kept = torch.cat([kept, model(x.cuda()).cpu()])
        parts = torch.cat([parts, model(x.cuda()).cpu()])
        table = np.concatenate([table, x.numpy()])
    return kept, table, parts


# ok: a closure reads it meanwhile, or it is not the name's own growth
def watched(model, x: torch.Tensor, steps: int, callbacks):
    seen = x

    def report():
        return seen.mean()

    for _ in range(steps):
        seen = torch.cat([seen, model(x)])
        callbacks(report)
    for _ in range(steps):
        joined = torch.cat([x, model(x)])
    return seen, joined


# case: an attribute that grows
class Buffer:
    def __init__(self):
        self.seen = torch.zeros(0, device="cuda")

    def fill(self, loader: DataLoader):
        for x in loader:
            self.seen = torch.cat([self.seen, x.cuda()])  # expect: TPL502 @ torch.cat([self.seen, x.cuda()])


# ok: a method may read the attribute meanwhile
class Window:
    def __init__(self):
        self.seen = torch.zeros(0, device="cuda")

    def mean(self):
        return self.seen.mean()

    def fill(self, loader: DataLoader):
        means = []
        for x in loader:
            self.seen = torch.cat([self.seen, x.cuda()])
            means.append(self.mean())
        return means


# case: nothing but its name says that it is a loader, and many turns
@torch.no_grad()
def collect(model, train_loader):
    features = torch.zeros(0).cuda()
    for image, label in train_loader:
        features = torch.cat([features, model(image.cuda())])  # expect: TPL502 @ torch.cat([features, model(image.cuda())])
    return features


# case: the first turn has nothing to join to
def decode(cell: nn.Module, state: torch.Tensor, steps: int):
    words = None
    sounds = None
    for _ in range(steps):
        state = cell(state)
        words = state if words is None else torch.cat([words, state], dim=1)  # expect: TPL502 @ torch.cat([words, state], dim=1)
        if sounds is None:
            sounds = state.relu()
        else:
            sounds = torch.cat([sounds, state.relu()], dim=1)  # expect: TPL502 @ torch.cat([sounds, state.relu()], dim=1)
    return words, sounds


# case: the steps are a tensor
def follow(field: nn.Module, y: torch.Tensor, times: torch.Tensor):
    path = y[None]
    for start, end in zip(times[:-1], times[1:]):
        y = y + (end - start) * field(y)
        path = torch.cat([path, y[None]])  # expect: TPL502 @ torch.cat([path, y[None]])
    return path


# case: a compiled callable may write its next result into the memory of the last, so the list holds copies
def encode(model: nn.Module, loader):
    encoder = torch.compile(model.cuda(), mode="reduce-overhead")
    features = torch.empty(0, 512, device="cuda")
    for batch in loader:
        features = torch.cat([features, encoder(batch.cuda())])  # expect: TPL502 @ torch.cat([features, encoder(batch.cuda())])
    return features


# case: a buffer that each turn fills anew is copied, too
def record(state: torch.Tensor, steps: int):
    path, buffer = state.cuda()[None], torch.empty_like(state, device="cuda")
    for step in range(steps):
        buffer.copy_(state * step)
        path = torch.cat([path, buffer])  # expect: TPL502 @ torch.cat([path, buffer])
    return path


# case: and so is a view of what the next turn changes
def drift(state: torch.Tensor, steps: int):
    state = state.cuda()
    path = state[None].clone()
    for step in range(steps):
        state.add_(0.1)
        path = torch.cat([path, state.unsqueeze(0)])  # expect: TPL502 @ torch.cat([path, state.unsqueeze(0)])
    return path


# case: a method gathers what it is given
class Scores:
    def __init__(self):
        self.reset()

    def reset(self):
        self.scores = torch.tensor([], device="cuda")
        self.labels = None

    def update(self, scores: torch.Tensor, labels: torch.Tensor):
        scores = scores.to(self.scores)
        self.scores = torch.cat([self.scores, scores])  # expect: TPL502 @ torch.cat([self.scores, scores])
        if self.labels is None:
            self.labels = labels
        else:
            self.labels = torch.cat([self.labels, labels], dim=0)  # expect: TPL502 @ torch.cat([self.labels, labels], dim=0)

    def compute(self):
        return (self.scores.argmax(1) == self.labels).float().mean()


# ok: what is cut, read in the method, never started anew, joined to something else, gathered by what is called otherwise
class Queue:
    def reset(self):
        self.kept = torch.tensor([], device="cuda")
        self.read = torch.tensor([], device="cuda")
        self.cache = torch.tensor([], device="cuda")

    def update(self, x: torch.Tensor):
        self.kept = torch.cat([self.kept, x])
        self.kept = self.kept[-100:]
        self.read = torch.cat([self.read, x])
        self.weights = torch.cat([self.weights, x])
        self.other = torch.cat([self.read, x])
        return self.read.mean()

    def attend(self, x: torch.Tensor):
        self.cache = torch.cat([self.cache, x])


# ok: each turn has another object, whose own tensor is joined once
def up(point, x: torch.Tensor):
    while "parent" in point:
        parent = point.pop("parent")
        parent.feat = torch.cat([parent.feat, x[parent.index]], dim=-1)
        point = parent
    return point


# ok: a list of two, written out
parts_to_edit = [(1.4, 2.4), (4.0, 4.9)]
edited = torch.zeros(1, 0, 80, device="cuda")
for first, last in parts_to_edit:
    edited = torch.cat((edited, torch.zeros(1, round((last - first) * 100), 80, device="cuda")), dim=1)


# case: chunks of one size, the more of them the larger the batch
class Parts(nn.Module):
    def __init__(self, most: int):
        super().__init__()
        self.norm, self.most = nn.BatchNorm1d(64), most

    def forward(self, x: torch.Tensor):
        parts = x.chunk(x.shape[0] // self.most + (x.shape[0] % self.most > 0))
        out = torch.empty(0, 64, device=x.device)
        for part in parts:
            out = torch.cat([out, self.norm(part)])  # expect: TPL502 @ torch.cat([out, self.norm(part)])
        return out


# ok: as many chunks for each batch
class Fixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(64)

    def forward(self, x: torch.Tensor):
        out = torch.empty(0, 64, device=x.device)
        for part in x.chunk(8):
            out = torch.cat([out, self.norm(part)])
        return out
