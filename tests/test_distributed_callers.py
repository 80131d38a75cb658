"""What is wrapped for many GPUs in one file and trained in another, and collectives whose result another file logs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from shell import Shell, write

ENGINE = """\
import torch.nn.functional as F

import misc


def epoch(model, loader, optimizer, every, log):
    for step, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x.cuda()), y.cuda()) / every
        loss.backward()
        if (step + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()
        mean = misc.mean(loss.detach())
        if step % 100 == 0:
            log.info(mean)
"""
MAIN = """\
import torch
from torch.nn.parallel import DistributedDataParallel as DDP

from engine import epoch


def main(net, loader, args, log):
    model = net.cuda()
    if args.distributed:
        model = DDP(model, device_ids=[args.gpu], gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for number in range(10):
        epoch(model, loader, optimizer, args.every, log)
"""
MISC = """\
import torch.distributed as dist


def mean(value):
    value = value.clone()
    dist.all_reduce(value)
    return value / dist.get_world_size()
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    for name, text in (("engine.py", ENGINE), ("main.py", MAIN), ("misc.py", MISC)):
        write(name, text)


def found(run: Shell, *options: str) -> list[tuple[str, str, int]]:
    run("--isolated", *(options or ("--no-cache",)), "--select", "TPL8", "--format", "json", ".")
    return [(each["code"], each["path"], each["start"]["line"]) for each in json.loads(run.out)["findings"]]


@pytest.mark.usefixtures("project")
def test_what_another_file_wraps_and_logs_is_seen(run: Shell) -> None:
    assert found(run) == [("TPL803", "engine.py", 9), ("TPL804", "misc.py", 6)]


@pytest.mark.usefixtures("project")
def test_what_another_file_does_not_wrap_is_silent(run: Shell) -> None:
    write("main.py", MAIN.replace("model = DDP(", "other = DDP("))
    assert found(run) == [("TPL804", "misc.py", 6)]


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("            log.info(mean)\n", "            log.info(mean)\n        if mean > 3:\n            break\n"),
        ("        mean = misc.mean(", "        if step % 100 == 0:\n            mean = misc.mean("),
        ("loss.backward()", "misc.mean(loss.detach()).backward()"),
    ],
)  # fmt: skip
def test_what_another_file_needs_or_asks_for_seldom_is_silent(run: Shell, old: str, new: str) -> None:
    assert old in ENGINE
    write("engine.py", ENGINE.replace(old, new))
    assert "TPL804" not in [code for code, _, _ in found(run)]


@pytest.mark.usefixtures("project")
def test_an_edit_of_the_file_that_wraps_asks_again(run: Shell, tmp_path: Path) -> None:
    cache = ("--cache-dir", str(tmp_path / "cache"))
    both = [("TPL803", "engine.py", 9), ("TPL804", "misc.py", 6)]
    assert found(run, *cache) == both
    write("main.py", MAIN.replace("model = DDP(", "other = DDP("))
    assert found(run, *cache) == both[1:]
    write("main.py", MAIN)
    assert found(run, *cache) == both
    write(
        "engine.py",
        ENGINE.replace("        mean = misc.mean(", "        if step % 100 == 0:\n            mean = misc.mean("),
    )
    assert found(run, *cache) == both[:1]
