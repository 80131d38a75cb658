"""Where code runs seldom: behind a gate, in an error, on the last turn."""

import os
from abc import ABC
from time import monotonic_ns

import torch
import torch.distributed as dist
from torch import Tensor, nn


class Checked(nn.Module):
    def __init__(self, debug: bool = False):
        super().__init__()
        self.debug = debug

    def forward(self, x: Tensor, sizes):
        if self.debug and torch.isnan(x).any():  # fact: torch.isnan(x).any() => gated
            x = x * 2
        if torch.isnan(x).any() and self.debug:  # fact: torch.isnan(x).any() => not gated
            x = x * 2
        if x.dim() > 3:
            x = x * x.max().item()  # fact: x.max().item() => gated
            raise ValueError
        elif x.dim() > 2:
            x = x * x.max().item()  # fact: x.max().item() => not gated
        assert x.dim() == 2, f"{x.max().item()}"  # fact: x.max().item() => gated
        if x.dim() > 1:
            y = x.min().item()  # fact: x.min().item() => gated
            torch._assert(False, f"{y}")
        height, width = sizes[-1]  # fact: sizes => unknown
        return x.view(height, width)


def last_turn(loader, model):
    for i, batch in enumerate(loader):
        out = model(batch.cuda()).mean()
        if i + 1 == len(loader):
            print(out.item())  # fact: out.item() => gated
        if i + 1 in (3, 9):
            print(out.item())  # fact: out.item() => gated
        if out in (3, 9):
            worst = out.item()  # fact: out.item() => not gated
        if i + 1 > 3:
            worst = out.item()  # fact: out.item() => not gated
        if i + 1 > 3:
            print(out.item())  # fact: out.item() => gated
    return worst


class Mode(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, mode):
        if mode == 0:  # fact: mode == 0 => no wait
            return x.unsqueeze(0)  # fact: x => tensor, likely
        return x


def of_torch(x: Tensor, mask: Tensor):
    n = x.size(0)  # fact: n => number, int
    s = x.size()  # fact: s => size
    a = torch.where(mask, x, torch.inf)  # fact: torch.where(mask, x, torch.inf) => tensor, no wait
    b = torch.where(mask, x, n.unknown)  # fact: torch.where(mask, x, n.unknown) => no wait
    c = torch.where(mask)  # fact: torch.where(mask) => wait
    loss = nn.functional.cross_entropy(x, mask)  # fact: loss => tensor, floating, rank 0
    return n, s, a, b, c, loss


def layers(weights, other: nn.Module):
    source = getattr(weights, "head", None)
    if source[0][-1].in_channels != other.width:  # fact: source => module && source[0][-1].in_channels != other.width => no wait
        source = source.to("cuda")
    return source


class Transform(ABC):
    pass


class Flip(Transform):
    def forward(self, data):
        return data.sum()  # fact: data => unknown && data.sum() => no wait


def settings(n, **kwargs):
    kwargs["position"] = torch.arange(n, device="cuda")
    kwargs["cached"] = n.cached
    return prepared(kwargs)


def repeated(n, **kwargs):
    for key in kwargs:
        kwargs[key] = torch.arange(n, device="cuda")
    first = kwargs["cached"]  # fact: kwargs["cached"] => unknown
    mine = {}
    for key in range(n):
        mine[key] = torch.arange(n, device="cuda")
    return first, mine[n]  # fact: mine[n] => tensor


def prepared(kwargs):
    if kwargs["other"]:  # fact: kwargs["other"] => unknown
        n = 1
    return kwargs


class Sizes(nn.Module):
    def forward(self, x, factor, lengths, values):
        start = lengths[0]  # fact: lengths => unknown
        x = x[:, start : start + lengths[1]]
        scale = float(factor)  # fact: factor => number, likely && float(factor) => no wait
        return nn.functional.interpolate(x, scale_factor=scale), values[0]  # fact: values => tensor, likely


def turns(items, model, turn: int, check):
    for i, item in enumerate(items):
        out = model(item.cuda()).mean()
        if i == turn:
            worst = out.item()  # fact: out.item() => gated
        if out == turn:
            worst = out.item()  # fact: out.item() => not gated
        check(out.ndim == 0, lambda: f"got {out.item()}")  # fact: out.item() => gated
        check(out.ndim == 0, lambda y: f"got {out.item()}")  # fact: out.item() => not gated
        check(out.ndim == 0, lambda: out.item())  # fact: out.item() => not gated
    return worst


class Fallback(nn.Module):
    def forward(self, x: Tensor, mask=None):
        if x.numel() == 0:
            return torch.tensor(0.0, device=x.device)  # fact: torch.tensor(0.0, device=x.device) => gated
        if x.shape[0] == 1:
            return torch.tensor([0], device=x.device)  # fact: torch.tensor([0], device=x.device) => gated
        if x.shape[0] == 1:
            return torch.tensor(x.ndim, device=x.device)  # fact: torch.tensor(x.ndim, device=x.device) => not gated
        if x.shape[1] == 3:
            return torch.tensor([0], device=x.device)  # fact: torch.tensor([0], device=x.device) => not gated
        if mask is None:
            print("no mask!")
            mask = x.max().item()  # fact: x.max().item() => gated
        else:
            print(mask)
            mask = x.min().item()  # fact: x.min().item() => not gated
        return mask


def padded(model, loader, width):
    for i, batch in enumerate(loader):
        out = model(batch.cuda())
        if out.shape[1] % width != 0:
            out = out * out.mean().item()  # fact: out.mean().item() => not gated
        if i % 100 != 0:
            out = out * out.min().item()  # fact: out.min().item() => not gated
        else:
            out = out * out.max().item()  # fact: out.max().item() => gated
        if i % 100 == 0:
            out = out * out.sum().item()  # fact: out.sum().item() => gated
        if i % 100:
            continue
        print(out.std().item())  # fact: out.std().item() => gated


def all_but_one(model, loader):
    for i, x in enumerate(loader):
        if i == 0:
            continue
        print(model(x).std().item())  # fact: model(x).std().item() => not gated
    for i, x in enumerate(loader):
        if i < 3:
            print(model(x).std().item())  # fact: model(x).std().item() => gated


def a_few(model, loader, limit):
    shown = tried = 0
    for x in loader:
        out = model(x.cuda()).mean()
        if x.shape[0] > 3 and shown < 5:
            shown += 1
            print(out.item())  # fact: out.item() => gated
        if tried < limit:
            tried += 1
            print(out.max().item())  # fact: out.max().item() => not gated
        if shown < 5:
            tried += 1
            print(out.min().item())  # fact: out.min().item() => not gated


class Traced(nn.Module):
    def forward(self, x: Tensor):
        if torch.jit.is_scripting():
            return x * x.max().item()  # fact: x.max().item() => gated
        if not torch.compiler.is_compiling():
            x = x * x.min().item()  # fact: x.min().item() => not gated
        y = x.mean().item() if torch.jit.is_tracing() else x.sum().item()  # fact: x.mean().item() => gated && x.sum().item() => not gated
        if torch.is_grad_enabled():
            y = y * x.std().item()  # fact: x.std().item() => not gated
        return y


def watched(loader, model, clock):
    begun = monotonic_ns()
    for batch in loader:
        out = model(batch.cuda()).mean()
        if monotonic_ns() - begun > 60:
            out = out * out.item()  # fact: out.item() => gated
        if clock.time(out) - begun > 60:
            out = out * out.item()  # fact: out.item() => not gated


def by_rank(loader, model, args, rank, world_size):
    for batch in loader:
        out = model(batch.cuda()).mean()
        if dist.get_rank() == 0:
            out = out * out.item()  # fact: out.item() => gated
        if int(os.environ["LOCAL_RANK"]) == 0:
            out = out * out.item()  # fact: out.item() => gated
        if os.getenv("RANK", "0") == "0":
            out = out * out.item()  # fact: out.item() => gated
        if args.local_rank in (-1, 0):
            out = out * out.item()  # fact: out.item() => gated
        if is_main_process():
            out = out * out.item()  # fact: out.item() => gated
        if args.local_rank != -1:
            out = out * out.item()  # fact: out.item() => not gated
        if args.local_rank == -1 or dist.get_rank() == 0:
            out = out * out.item()  # fact: out.item() => gated
        if rank >= 0 and args.mean:
            out = out * out.item()  # fact: out.item() => not gated
        if world_size > 1:
            out = out * out.item()  # fact: out.item() => not gated
        if os.environ["FRANK"] == 0:
            out = out * out.item()  # fact: out.item() => not gated
        if rank != 0:
            continue
        out = out * out.item()  # fact: out.item() => gated


class Repairs(nn.Module):
    def forward(self, x: torch.Tensor, boxes: torch.Tensor):
        mask = torch.isinf(x)
        found = torch.nonzero(mask)
        if len(found) > 0:
            y = x.max().item()  # fact: x.max().item() => gated
        if torch.isnan(x).any():
            y = x.max().item()  # fact: x.max().item() => gated
        else:
            y = x.max().item()  # fact: x.max().item() => not gated
        if x.isnan().any() or mask.sum() > 0:
            y = x.max().item()  # fact: x.max().item() => gated
        if mask.sum() > 0 or x.ndim > 2:
            y = x.max().item()  # fact: x.max().item() => not gated
        valid = torch.isfinite(boxes).all(dim=1) & torch.isfinite(x).all(dim=1)
        if not valid.all():
            y = x.max().item()  # fact: x.max().item() => gated
        if valid.any():
            y = x.max().item()  # fact: x.max().item() => not gated
        if not torch.isnan(x).any():
            y = x.max().item()  # fact: x.max().item() => not gated
        return y


class Hook:
    def after_train_iter(self, runner):
        if self.by_epoch or not self.every_n_iters(runner, self.interval):
            return
        runner.scores.max().item()  # fact: runner.scores.max().item() => gated


class Combined(nn.Module):
    def forward(self, x: torch.Tensor):
        spread = x.std()
        if is_fp16_enabled() and spread != 0.0:  # fact: spread != 0.0 => gated
            x = x / spread
        if is_grad_enabled() and spread != 0.0:  # fact: spread != 0.0 => not gated
            x = x / spread
        return x


def collapsed(logger, graph, x):
    if len(graph) == 0 or graph.degenerate:
        logger.error("no molecule is left")
        lost = torch.tensor(float("nan")).to(x.device)  # fact: lost => gated
        return lost
    return x.mean()


class Kept:
    def __init__(self):
        self.made = {}

    def weights(self, x: torch.Tensor):
        if self.made.get(x.device) is None:
            self.made[x.device] = torch.ones(9)  # fact: torch.ones => gated
        if self.made["best"] is None:
            self.made["best"] = x.sum()  # fact: x.sum => gated
        if self.made.get("mode") is None:
            x = x.sum()  # fact: x.sum => not gated
        return x


class Latched(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = self.shown = self.stale = True
        self.made: bool = False

    def forward(self, x: Tensor):
        if self.first and x.ndim == 2:
            self.scale = x.max().item()  # fact: x.max().item() => gated
            self.first = False
        if not self.made:
            self.made = True
            self.shift = x.min().item()  # fact: x.min().item() => gated
        if self.made:
            x = x - x.mean().item()  # fact: x.mean().item() => not gated
        else:
            x = x * x.std().item()  # fact: x.std().item() => gated
            self.made = True
        if self.shown:
            x = x * x.amax().item()  # fact: x.amax().item() => not gated
            self.shown = x.ndim == 2
        if self.stale:
            x = x * x.sum().item()  # fact: x.sum().item() => not gated
            self.stale = False
        if self.first or x.ndim == 3:
            x = x * x.amin().item()  # fact: x.amin().item() => not gated
            self.first = False
        return x

    def step(self):
        self.stale = True


def latched(model, loaders):
    for loader in loaders:
        first = again = True
        for batch in loader:
            out = model(batch.cuda()).mean()
            if first:
                scale = out.item()  # fact: out.item() => gated
                first = False
            if again:
                scale = out.max().item()  # fact: out.max().item() => not gated
                again = False
            again = True
    if first:
        scale = out.min().item()  # fact: out.min().item() => not gated
        first = False
    return scale


class Pipelined(nn.Module):
    def forward(self, x: torch.Tensor):
        if self.is_last_stage():
            x = x * x.sum().item()  # fact: x.sum().item() => not gated
        if self.is_last:
            x = x * x.amax().item()  # fact: x.amax().item() => gated
        return x


class Demo:
    def on_train_batch_end(self, trainer, module, outputs, batch, batch_idx):
        if (trainer.global_step - 1) % self.demo_every != 0 or self.last == trainer.global_step:
            return
        try:
            outputs.max().item()  # fact: outputs.max().item() => gated
            self.draw(outputs)
        finally:
            outputs.min().item()  # fact: outputs.min().item() => gated

    def draw(self, outputs):
        return outputs.sum().item()  # fact: outputs.sum() => ONCE

    def on_train_batch_start(self, trainer, module, batch, batch_idx):
        if trainer.is_last_batch or self.last == trainer.global_step:
            return
        batch.max().item()  # fact: batch.max().item() => not gated


class Padded(nn.Module):
    def forward(self, x: torch.Tensor, mask=None):
        if x.shape[1] % 8 != 0 or mask is None:
            return x
        return x * x.mean().item()  # fact: x.mean().item() => not gated


class Walk:
    def __init__(self):
        self._index = self.start = None
        self.ready = self.open = False

    @property
    def index(self):
        return self._index

    def _begin(self, t):
        if self.start is None:
            t = t.cpu()
            self._index = t.argmax()
        else:
            self._index = self.start

    def _prepare(self, t):
        self.scale = t.sum()
        self.ready = True

    def _enter(self, t):
        self.open = True
        self._level = None

    def step(self, t):
        if self.index is None:
            self._begin(t.cumsum(0))  # fact: t.cumsum(0) => gated
        if not self.ready:
            self._prepare(t.cumprod(0))  # fact: t.cumprod(0) => gated
        if not self.open:
            self._enter(t.abs())  # fact: t.abs() => not gated
        if self._level is None:
            self._enter(t.exp())  # fact: t.exp() => not gated
        if self.start is None:
            self._prepare(t.sin())  # fact: t.sin() => not gated
        self.open = False


def tracked(state, model, loader):
    for batch in loader:
        if state.mean is None:
            state.mean, state.std = batch.mean(), batch.std()  # fact: batch.mean() => gated
        if state.low is None:
            low, high = batch.amin(), batch.amax()  # fact: batch.amin() => not gated


class Analysed:
    def __init__(self, wanted, width):
        self.due = wanted
        self.is_even = width % 2 == 0

    def step(self, x):
        self.calls += 1
        self.due = self.wanted and self.calls % self.interval == 0
        if self.due:
            x.sum().item()  # fact: x.sum().item() => gated
        if self.is_even:
            x.amax().item()  # fact: x.amax().item() => not gated
        due = self.step % 10 == 0
        if due:
            x.amin().item()  # fact: x.amin().item() => gated
        due_too = self.step % 10 == 0
        due_too = x.ndim == 3
        if due_too:
            x.mean().item()  # fact: x.mean().item() => not gated


def acts_and_learns(env, policy, optimizer, replay, every):
    state = torch.zeros(1, 8, device="cuda")
    for turn in range(100000):
        state = env.step(policy(state))
        if turn > 1000 and turn % every == 0:
            loss = policy.loss(replay.sample(64))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            kept = loss.item()  # fact: loss => not gated
            if turn % 100 == 0:
                shown = loss.item()  # fact: loss => gated


def critic_first(loader, critic, maker, optimizer, every):
    for turn, x in enumerate(loader):
        critic(x.cuda()).mean().backward()
        optimizer.step()
        if turn % every == 0:
            loss = critic(maker(x.cuda())).mean()
            loss.backward()
            kept = loss.item()  # fact: loss => gated


def penalised_seldom(loader, model, optimizer):
    for turn, x in enumerate(loader):
        loss = model(x.cuda()).mean()
        loss.backward()
        if turn % 16 == 0:
            optimizer.step()
            kept = loss.item()  # fact: loss => gated


class Learner:
    def learn(self, replay):
        self.turn += 1
        if self.turn % self.every != 0:
            return
        loss = self.policy.loss(replay.sample(64))
        loss.backward()
        self.optimizer.step()
        kept = loss.item()  # fact: loss => not gated

    def demonstrates(self, replay):
        if self.turn % self.every != 0:
            return
        loss = self.policy.loss(replay.sample(64))
        loss.backward()
        kept = loss.item()  # fact: loss => gated

    def shows(self, replay):
        loss = self.policy.loss(replay.sample(64))
        loss.backward()
        if self.turn % self.every != 0:
            return
        kept = loss.item()  # fact: loss => gated
