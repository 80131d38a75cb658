"""What runs once beside all steps of a sampler, whoever calls it: nobody wants to hear of it. Where a training runs it too, it stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from shell import Shell, write

ENCODER = """\
import torch
from torch import nn


class Gelu(nn.Module):
    def forward(self, x):
        return 0.5 * x * (1.0 + torch.erf(x / 1.4142135623730951))


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.wide = nn.Sequential(nn.Linear(width, 4 * width), Gelu(), nn.Linear(4 * width, width))

    def forward(self, x):
        return x + self.wide(x)


class Encoder(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def encoder(**sizes):
    kind = Encoder
    made = kind(**sizes).cuda()
    return made


class Words:
    def __init__(self):
        self.net = encoder(width=64, depth=8)

    def __call__(self, tokens):
        return self.net(tokens.cuda())
"""
PIPELINE = """\
import torch

from encoder import Words


class Pipeline:
    def __init__(self, model, scheduler):
        self.model, self.scheduler = model, scheduler
        self.words = Words()

    def draw(self, tokens, x):
        {before}
        for t in self.scheduler.timesteps:
            noise = self.model(x, t, {context})
            x = self.scheduler.step(noise, t, x).prev_sample
        return x
"""
TRAINING = """\
from encoder import Words

words = Words()


def train(model, loader, optimizer):
    for x, tokens in loader:
        loss = model(x.cuda(), words(tokens)).mean()
        loss.backward()
        optimizer.step()
"""


def _found(run: Shell, codes: str = "TPL601") -> list[str]:
    assert run("--isolated", "--no-cache", "--format", "json", "--select", codes, ".") in (0, 1)
    return [each["path"] for each in json.loads(run.out)["findings"]]


@pytest.fixture
def project(run: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    write("encoder.py", ENCODER)
    return run


def test_an_encoder_that_runs_before_all_steps_is_not_spoken_of(project: Shell) -> None:
    assert _found(project) == ["encoder.py"]
    write("pipeline.py", PIPELINE.format(before="context = self.words(tokens)", context="context"))
    assert not _found(project)


def test_it_is_where_each_step_runs_it(project: Shell) -> None:
    write("pipeline.py", PIPELINE.format(before="pass", context="self.words(tokens)"))
    assert _found(project) == ["encoder.py"]


def test_it_is_where_a_training_runs_it_too(project: Shell) -> None:
    write("pipeline.py", PIPELINE.format(before="context = self.words(tokens)", context="context"))
    write("train.py", TRAINING)
    assert _found(project) == ["encoder.py"]


def test_it_is_where_a_step_of_a_training_draws_too(project: Shell) -> None:
    drawing = PIPELINE.format(before="context = self.words(tokens)", context="context")
    write("pipeline.py", drawing.replace("def draw", "def training_step"))
    assert _found(project) == ["encoder.py"]


@pytest.mark.parametrize("before", ["if self.model.training:\n            return self.words(tokens).mean()", "pass"])
def test_it_is_where_the_steps_are_passed_by(project: Shell, before: str) -> None:
    given = f"context = self.words(tokens)\n        {before}"
    write("pipeline.py", PIPELINE.format(before=given, context="context"))
    assert _found(project) == (["encoder.py"] if "return" in before else [])


HEAD = """\
import torch
from torch import nn

from draw import in_float32, sample_loop


class Head(nn.Module):
    def forward(self, x: torch.Tensor, chains: torch.Tensor):
        for each in range(chains.shape[0]):
            if (chains[each] > 0).any():
                x = x + 1
        return scored(x)


def scored(x: torch.Tensor):
    kept = []
    for row in range(x.shape[0]):
        if (x[row] > 0).any():
            kept.append(x[row])
    return kept


class Fold(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = Head()
        self.trunk = nn.Linear(64, 64).cuda()

    def forward(self, x: torch.Tensor, chains: torch.Tensor):
        x = self.trunk(x)
        {first}
        return in_float32(self.head)(x, chains), in_float32(scored)(x)
"""
DRAW = """\
def in_float32(run):
    def wrapped(*given):
        return run(*(each.float() for each in given))

    return wrapped


def sample_loop(model, x, steps):
    for step in range(steps):
        x = x + model(x, step)
    return x
"""


@pytest.mark.parametrize(("first", "silent"), [("x = sample_loop(self.trunk, x, 50)", True), ("x = x * 2", False)])
def test_a_head_behind_a_whole_diffusion_is_not_spoken_of(project: Shell, first: str, silent: bool) -> None:
    write("draw.py", DRAW)
    write("fold.py", HEAD.format(first=first))
    assert (not _found(project, "TPL102,TPL103")) == silent


SOLVED = """\
import torch
from torch import nn
from torchdiffeq import odeint


class Flow(nn.Module):
    def {name}(self, x: torch.Tensor, times: torch.Tensor):
        x = x.cuda()
        if (x > 1).any():
            x = x.clamp(max=1)
        return odeint(self.field, x, times)


if __name__ == "__main__":
    flow = Flow()
    for x in torch.utils.data.DataLoader(points()):
        flow.{called}(x, torch.linspace(0, 1, 50))
"""


@pytest.mark.parametrize(("name", "called", "silent"), [("draw", "draw", True), ("forward", "forward", False)])
def test_a_solution_in_forward_may_be_trained(project: Shell, name: str, called: str, silent: bool) -> None:
    write("flow.py", SOLVED.format(name=name, called=called))
    assert ("flow.py" not in _found(project, "TPL102,TPL103")) == silent
