"""Hints that are left out, for the source shows that whoever mends them gains nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from shell import Shell, write

Lines = Callable[..., list[tuple[int, str]]]

STEP = """\
import torch
from torch import nn


def train(model: nn.Module, loader, optimizer):
    model.cuda()
    seen = []
    for x in loader:
        loss = model(x.cuda(non_blocking=True)).sum()
        loss.backward()
        optimizer.step()
        {beside}
        if loss > 3:
            break
        {last}
    return seen
"""
STAYS = "scale = loss.item()"
BLEND = """\
import torch
from torch import nn


def {name}(model: nn.Module, loader):
    model.cuda()
    with torch.no_grad():
        for x in loader:
            x = model(x.cuda()) + torch.zeros(9, 9, device="cuda")
            for row in x:
                share = torch.rand_like(row)
                yield row * share + row.exp() * (1 - share)
"""


@pytest.fixture
def found(run: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lines:
    monkeypatch.chdir(tmp_path)

    def of(text: str, *arguments: str) -> list[tuple[int, str]]:
        write("a.py", text)
        assert run("--isolated", "--no-cache", "--format", "json", *arguments, "a.py") in (0, 1)
        findings = json.loads(run.out)["findings"]
        return [(each["start"]["line"], each["code"]) for each in findings if each["code"] not in ("TPL801", "TPL605")]

    return of


def test_one_about_a_wait_beside_another_that_stays(found: Lines) -> None:
    assert found(STEP.format(beside="pass", last="pass")) == [(13, "TPL103")]
    assert found(STEP.format(beside=STAYS, last="pass")) == []
    assert found(STEP.format(beside="pass", last=STAYS)) == []


def test_it_is_told_where_all_waits_can_go_together(found: Lines) -> None:
    assert (13, "TPL103") in found(STEP.format(beside="model.half()", last="seen.append(loss.item())"))


def test_what_is_selected_is_told_for_nobody_knows_what_the_others_say(found: Lines) -> None:
    assert found(STEP.format(beside=STAYS, last="pass"), "--select", "TPL103") == [(13, "TPL103")]


def test_who_silences_what_is_left_out_makes_no_mistake(found: Lines) -> None:
    text = STEP.format(beside=STAYS, last="pass")
    silenced = text.replace("if loss > 3:", "if loss > 3:  # tpl: ignore[TPL103]")
    assert found(silenced) == []
    assert found(silenced.replace("TPL103", "TPL114")) == [(13, "TPL003")]


def test_it_is_told_beside_a_copy_of_which_a_rule_speaks(found: Lines) -> None:
    copied = STEP.replace("non_blocking=True", "").format(beside="loss = loss + torch.zeros(3).cuda()", last="pass")
    assert (13, "TPL103") in found(copied)


def test_it_is_told_where_a_rule_that_speaks_of_the_copy_beside_it_is_ignored(found: Lines) -> None:
    assert (13, "TPL103") in found(STEP.format(beside=STAYS, last="pass"), "--ignore", "TPL201")


@pytest.mark.parametrize(
    ("beside", "last", "is_told"),
    [
        ("pass", "rows = x.cuda().nonzero()", True),
        (STAYS, "rows = x.cuda().nonzero()", False),
        (STAYS, "for row in x.cuda():\n            seen.append(row.nonzero())", True),
        ("rows = x.cuda().nonzero()", "seen.append(x.cuda()[x.cuda() > 3])", True),
    ],
    ids=["alone", "beside a wait that stays", "for each row", "beside others of which a rule speaks"],
)
def test_how_many_there_are_is_told_where_no_other_wait_stays_or_many_times(
    found: Lines, beside: str, last: str, is_told: bool
) -> None:
    assert ("TPL102" in [code for _, code in found(STEP.format(beside=beside, last=last))]) is is_told


def test_the_audit_view_names_the_line(found: Lines) -> None:
    lines = [line for line, _ in found(STEP.format(beside=STAYS, last="pass"), "--extend-select", "TPL100")]
    assert {12, 13} <= set(lines)


@pytest.mark.parametrize(("name", "is_told"), [("run", True), ("evaluate", False)])
def test_one_that_is_about_no_wait_in_an_evaluation(found: Lines, name: str, is_told: bool) -> None:
    assert ((12, "TPL612") in found(BLEND.format(name=name))) is is_told


def test_one_behind_a_switch_that_nobody_sets(found: Lines) -> None:
    layer = (
        "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n"
        "    def forward(self, x: torch.Tensor, mix: bool = False):\n        x = x.cuda()\n"
        "{test}            x = x[[1, 0]]\n        return x\n"
    )
    assert found(layer.format(test="        if x.ndim == 2:\n")) == [(9, "TPL114")]
    assert found(layer.format(test="        if mix:\n")) == []


def test_what_a_command_line_chooses_is_told(found: Lines) -> None:
    net = (
        "import argparse\n\nimport torch\nfrom torch import nn\n\nparser = argparse.ArgumentParser()\n"
        'parser.add_argument("--mix", action="store_true")\nargs = parser.parse_args()\n\n\n'
        "class Net(nn.Module):\n    def __init__(self, mix=False):\n        super().__init__()\n        self.mix = mix\n\n"
        "    def forward(self, x: torch.Tensor):\n        x = x.cuda()\n        if self.mix:\n            x = x[[1, 0]]\n"
        "        return x\n\n\n"
    )
    assert found(net + "Net(mix=args.mix)\n") == [(19, "TPL114")]
    assert found(net + "Net(mix=False)\n") == []


def test_what_several_gpus_do_is_told_behind_a_switch_too(found: Lines) -> None:
    assert (13, "TPL807") in found(
        "import argparse\n\nimport torch\nfrom torch import nn\n\nparser = argparse.ArgumentParser()\n"
        'parser.add_argument("--distributed", action="store_true")\nargs = parser.parse_args()\n'
        "model = nn.Linear(3, 3).cuda()\noptimizer = torch.optim.SGD(model.parameters())\n"
        "model(torch.zeros(3, 3, device='cuda')).sum().backward()\n"
        "if args.distributed:\n    model = nn.parallel.DistributedDataParallel(model)\n"
    )


WRITES = """\
import torch


def train(model, loader, optimizer):
    model.cuda()
    for x in loader:
        loss = model(x.cuda(non_blocking=True)).sum()
        loss.backward()
        optimizer.step()
        x = x.cuda(non_blocking=True)
        {beside}
        rows[0] = 1.0
"""


@pytest.mark.parametrize(
    ("beside", "is_told"),
    [
        ("rows = torch.ones(9, device=x.device)", True),
        ("rows = torch.ones(x.sum().long(), device=x.device)", False),
    ],
    ids=["alone", "behind a wait"],
)
def test_one_right_behind_another_wait(found: Lines, beside: str, is_told: bool) -> None:
    assert ((12, "TPL113") in found(WRITES.format(beside=beside))) is is_told
