"""`reveal`: what is known of each expression of a line, and why a rule is silent there."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fixture import Fixture, fixtures
from shell import Shell, write
from test_notebook import dumped, notebook

from torchperf_lint.config import settings_file
from torchperf_lint.config.config import of_text
from torchperf_lint.engine import lint_text, precedence
from torchperf_lint.engine.reveal_text import reveal
from torchperf_lint.rule import all_rules
from torchperf_lint.syntax.source import Source

PROGRAM = """\
import torch
from torch import nn


def train(model: nn.Module, loader, optimizer, mystery):
    model.cuda()
    for step, (x, y) in enumerate(loader):
        loss = model(x.cuda()).sum()
        loss.backward()
        optimizer.step()
        total = loss.item()
        if step % 100 == 0:
            print(loss.item())
        if loss > 3:
            break
        kept = 1 if loss > 9 else 2  # tpl: ignore
        read = mystery.tolist()
        # nothing here

    last = loss.item()
    here = torch.zeros(3)
    return here.sum().item()


def test_it(x: torch.Tensor):
    while x.sum() > 0:
        assert x
"""


@pytest.fixture
def in_project(empty_project: None) -> None:
    write("a.py", PROGRAM)


pytestmark = pytest.mark.usefixtures("in_project")


def shown(run: Shell, place: str) -> dict[str, Any]:
    """What `reveal --format json` says of one line."""
    assert run("reveal", place, "--format", "json") == 0, run.err
    (line,) = json.loads(run.out)["lines"]
    assert isinstance(line, dict)
    return line


def expression(line: dict[str, Any], text: str) -> dict[str, Any]:
    return next(each for each in line["expressions"] if each["text"] == text)


def silent(run: Shell, place: str) -> dict[str, str]:
    """Why the rules near a line are silent, by code."""
    return {rule["code"]: rule["message"] for rule in shown(run, place)["rules"] if not rule["reports"]}


def test_a_line_for_people(run: Shell) -> None:
    assert run("reveal", "a.py:14") == 0
    assert run.out == (
        "a.py:14\n"
        "   |\n"
        "14 |         if loss > 3:\n"
        "   |\n"
        "   = runs at every step\n"
        "       line 7: a step loop: the loop holds the backward pass\n"
        "   = `loss > 3`: tensor, on the GPU, bool, 0-dim (likely)\n"
        "       GPU sync (likely): its truth value is copied to the host\n"
        "       line 8: the output of a model\n"
        "       line 6: moved to CUDA\n"
        "   = `loss`: tensor, on the GPU, 0-dim (likely)\n"
        "       line 8: the output of a model\n"
        "       line 6: moved to CUDA\n"
        "   = TPL100 is silent: off by default; `--extend-select TPL100` reports this\n"
        "   = TPL102 is silent: not seen here: The host waits for the GPU in the middle of a model.\n"
        "   = TPL103 is silent: left out, for nothing is gained here: line 11: the host waits here too each time, "
        "and nothing shows that it has much to do in between\n"
    )
    write("b.py", PROGRAM.replace("total = loss.item()", "total = loss"))
    assert run("reveal", "b.py:14") == 0
    assert run.out.endswith(
        "   = TPL103 tensor-in-control-flow reports a hint: an early exit asks a tensor, "
        "and the host waits each time (GPU sync): measure if it pays\n"
        "       a hint because: line 14: this case costs less than what was measured of the rule\n"
        "   = TPL100 is silent: off by default; `--extend-select TPL100` reports this\n"
        "   = TPL102 is silent: not seen here: The host waits for the GPU in the middle of a model.\n"
    )


def test_what_is_known_of_expressions(run: Shell) -> None:
    made = expression(shown(run, "a.py:21"), "torch.zeros(3)")
    assert (made["kind"], made["device"], made["dtype"], made["rank"]) == ("tensor", "cpu", "float32", 1)
    assert made["confidence"] == "proven"
    assert made["because"][1]["message"] == "made on the CPU: no device is given"
    assert (made["start"], made["end"]) == ({"line": 21, "column": 12}, {"line": 21, "column": 26})
    taken = {each["text"]: each["kind"] for each in shown(run, "a.py:5")["expressions"]}
    assert taken == {"model": "module", "loader": "unknown", "optimizer": "unknown", "mystery": "unknown"}


@pytest.mark.parametrize(
    ("given", "said"),
    [("torch.float32", "cast to a dtype"), ("torch.half", "cast to a dtype"), ("device", "moved to a device")],
)
def test_a_cast_is_no_move(run: Shell, given: str, said: str) -> None:
    write("b.py", f"import torch\n\n\ndef norm(x, device):\n    y = x.to({given})\n    return y * y.rsqrt()\n")
    taken = expression(shown(run, "b.py:5"), "x")
    assert [each["message"] for each in taken["because"]] == [said]


def test_why_there_is_no_gpu_sync(run: Shell) -> None:
    assert expression(shown(run, "a.py:22"), "here.sum().item()")["no_sync"] == "`here.sum()` is not on the GPU"
    assert expression(shown(run, "a.py:17"), "mystery.tolist()")["no_sync"] == "it is not known what `mystery` is"
    write("b.py", "import torch\nx = torch.zeros(3)\nif x.sum():\n    x += 1\n")
    assert expression(shown(run, "b.py:3"), "x.sum()")["no_sync"] == "`x.sum()` is not on the GPU"


def test_how_often_a_line_runs(run: Shell) -> None:
    assert shown(run, "a.py:21")["runs"] == {
        "how_often": "once", "confidence": None, "because": [], "gate": None, "option": None, "test": False
    }  # fmt: skip
    runs = shown(run, "a.py:13")["runs"]
    assert (runs["how_often"], runs["confidence"], runs["because"][0]["line"]) == ("step", "proven", 7)
    assert (runs["gate"]["line"], runs["gate"]["message"]) == (12, "`step % 100 == 0`")
    assert shown(run, "a.py:26")["runs"]["test"] is True


TRAINER = """\
import torch

class Trainer:
    def backward(self):
        self.loss = self.criterion(self.net(self.x))
        {more}

    def turn(self, queue):
        while queue:
            self.x = queue.pop().cuda()
            self.backward()
            print(self.loss.item())
"""


@pytest.mark.parametrize(("more", "how_often"), [("", "once"), ("self.loss.backward()", "step")])
def test_a_method_called_backward_may_only_work_out_losses(run: Shell, more: str, how_often: str) -> None:
    write("b.py", TRAINER.format(more=more))
    assert shown(run, "b.py:11")["runs"]["how_often"] == how_often


def test_callers_in_other_files_count_as_they_do_for_the_rules(run: Shell) -> None:
    write("pyproject.toml", "[tool.torchperf-lint]\n")
    write("helper.py", "import torch\n\n\ndef read(loss):\n    return loss.item()\n")
    write(
        "train.py",
        """\
import torch
from helper import read


def train(model, loader, optimizer):
    model.cuda()
    for x in loader:
        loss = model(x.cuda()).sum()
        loss.backward()
        optimizer.step()
        read(loss)
""",
    )
    line = shown(run, "helper.py:5")
    assert silent(run, "helper.py:5")["TPL101"].startswith("not seen here: A number is read")
    assert (line["runs"]["how_often"], line["runs"]["because"][0]["path"]) == ("step", "train.py")
    assert expression(line, "loss.item()")["sync"]["form"] == "read"
    assert expression(line, "loss")["device"] == "cuda"


def test_why_rules_are_silent(run: Shell) -> None:
    assert silent(run, "a.py:13")["TPL101"] == "this runs seldom, or only to log"
    assert silent(run, "a.py:16")["TPL103"] == "silenced by a comment"
    assert silent(run, "a.py:20")["TPL103"].startswith("for code that runs in a loop over batches or steps")
    assert silent(run, "a.py:22")["TPL102"] == "no GPU sync is known here: `here.sum()` is not on the GPU"
    assert silent(run, "a.py:26")["TPL103"] == "this is test code"
    assert silent(run, "a.py:11")["TPL101"].startswith("not seen here: A number is read")  # it is not bookkeeping
    assert silent(run, "a.py:11")["TPL100"] == "off by default; `--extend-select TPL100` reports this"


def test_another_rule_speaks(run: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    write("b.py", "import torch\nfor step in range(9):\n    x = torch.ones(3).cuda()\n    x.sum().backward()\n")
    settings = "[tool.torchperf-lint]\nextend-select = ['TPL100']\n"
    write("pyproject.toml", settings)
    assert silent(run, "b.py:3")["TPL100"] == "TPL201 speaks of the same expression"
    monkeypatch.setattr(precedence, "settle", lambda _: [])  # who silenced it was itself silenced
    assert silent(run, "b.py:3")["TPL100"] == "another rule speaks of the same expression"


def test_settings_of_the_project_hold(run: Shell) -> None:
    write("b.py", "import torch\n\n\ndef tick(x):\n    x = x.cuda()\n    return x.item()\n")
    assert shown(run, "b.py:6")["runs"]["how_often"] == "once"
    settings = "hot-functions = ['tick']\nsync-allowed = ['tick']\nignore = ['TPL103']\nconfidence = 'proven'\n"
    write("pyproject.toml", f"[tool.torchperf-lint]\n{settings}")
    assert shown(run, "b.py:6")["runs"]["how_often"] == "inner"
    assert silent(run, "b.py:6")["TPL107"] == "`sync-allowed` names this function"
    assert silent(run, "a.py:14")["TPL103"] == "left out by the settings; would report this"
    assert run("reveal", "b.py:6", "--isolated", "--format", "json") == 0
    assert json.loads(run.out)["lines"][0]["runs"]["how_often"] == "once"
    write("other.toml", "confidence = 'proven'\n")
    write("c.py", PROGRAM.replace("total = loss.item()", "total = loss"))
    assert run("reveal", "c.py:14", "--config", "other.toml") == 0
    assert "TPL103 is silent: only likely, and the settings ask for what is proven" in run.out


def test_a_rule_that_raises_is_told(run: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    rule = next(each for each in all_rules() if each.code == "TPL103")
    broken = replace(rule, check=lambda *_: 1 / 0)
    monkeypatch.setattr("torchperf_lint.engine.near_rules.all_rules", lambda: (broken,))
    assert silent(run, "a.py:14")["TPL103"].startswith("the rule raised ZeroDivisionError (test_reveal.py:")


def test_a_whole_file(run: Shell) -> None:
    assert run("reveal", "a.py", "--format", "json") == 0
    found = json.loads(run.out)
    assert [line["line"] for line in found["lines"]] == [
        5,
        6,
        7,
        8,
        9,
        10,
        11,
        12,
        13,
        14,
        16,
        17,
        20,
        21,
        22,
        25,
        26,
        27,
    ]
    assert (found["version"], found["path"]) == (1, "a.py")
    assert run("reveal", "a.py") == 0
    assert run.out.count("\na.py:") == len(found["lines"]) - 1


def test_the_place_of_a_finding_is_a_place(run: Shell) -> None:
    assert run("reveal", "a.py:14:12") == 0
    write("b:3.py", PROGRAM)
    assert run("reveal", "b:3.py") == 0
    assert run("reveal", "b:3.py:14") == 0


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("a.py:99", "a.py:99: there is no such line; the last is 27"),
        ("a.py:0", "a.py:0: there is no such line; the last is 27"),
        ("a.py:18", "a.py:18: no expression starts on this line; nearest: 17 and 20"),
        ("a.py:4", "a.py:4: no expression starts on this line; nearest: 5"),
        ("none/none.py:3", "none/none.py: No such file or directory"),
        ("none.py:3", "none.py: No such file or directory"),
        (".", ".: Is a directory"),
        ("plain.py:1", "plain.py: does not say `torch` anywhere, so it is not linted and nothing is known of it"),
        ("broken.py:1", "broken.py:2:5: does not parse: "),
        ("bytes.py", "bytes.py: does not parse: "),
        ("nb.ipynb:2", "nb.ipynb:2: say which cell, too: nb.ipynb:cell 1:2"),
        ("nb.ipynb:cell 2", "nb.ipynb:cell 2: a cell is of a notebook, and needs a line: nb.ipynb:cell 2:1"),
        ("a.py:cell 2:1", "a.py:cell 2:1: a cell is of a notebook, and needs a line: nb.ipynb:cell 2:1"),
        ("nb.ipynb:cell 1:1", "nb.ipynb:cell 1:1: this cell is no Python; cells of Python: 2, 3"),
        ("nb.ipynb:cell 3:9", "nb.ipynb:cell 3:9: there is no such line; the last is 2"),
        ("text.ipynb", "text.ipynb: does not parse: not a notebook: "),
    ],
)
def test_what_cannot_be_shown_is_an_error(run: Shell, place: str, said: str) -> None:
    write("plain.py", "x = input()\n")
    write("broken.py", "import torch\ndef (\n")
    Path("bytes.py").write_bytes(b"import torch\n\xff\n")
    Path("nb.ipynb").write_bytes(dumped(notebook("import torch\n", "y = 1\nx = 2")))
    write("text.ipynb", "torch")
    assert run("reveal", place) == 2
    assert run.out == ""
    assert run.err.startswith(f"error: {said}")


def test_a_notebook(run: Shell) -> None:
    cells = ("import torch\nx = torch.ones(3).cuda()", "%time\nfor i in range(3):\n    print(x.item())\n")
    Path("nb.ipynb").write_bytes(dumped(notebook(*cells)))
    line = shown(run, "nb.ipynb:cell 3:3")
    assert (line["cell"], line["line"], line["text"]) == (3, 3, "    print(x.item())")
    sync = expression(line, "x.item()")["sync"]
    assert [(each["cell"], each["line"]) for each in sync["because"]] == [(2, 2), (2, 2)]
    assert run("reveal", "nb.ipynb:cell 3:3") == 0
    assert run.out.startswith("nb.ipynb:cell 3:3\n")
    assert "cell 2, line 2: moved to CUDA\n" in run.out


def test_lines_are_those_of_python(run: Shell) -> None:
    Path("cr.py").write_bytes(b"import torch\rx = torch.ones(3)\r")
    assert shown(run, "cr.py:2")["text"] == "x = torch.ones(3)"
    Path("crlf.py").write_bytes(b"import torch\r\nx = torch.ones(3)")
    assert shown(run, "crlf.py:2")["text"] == "x = torch.ones(3)"
    assert run("reveal", "cr.py:3") == 2
    assert run.err == "error: cr.py:3: there is no such line; the last is 2\n"


def test_paths_are_those_of_the_reader(run: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    write("pyproject.toml", "[tool.torchperf-lint]\n")
    write("sub/b.py", PROGRAM)
    monkeypatch.chdir("sub")
    assert run("reveal", "b.py:14") == 0
    assert run.out.startswith("b.py:14\n")
    assert "       line 8: the output of a model\n" in run.out


@pytest.mark.parametrize("fixture", fixtures(), ids=lambda fixture: fixture.name)
def test_rules_report_where_a_lint_does(fixture: Fixture) -> None:
    """What `reveal` says that a rule reports is what a lint of the same text reports, rule for rule and line for line."""
    section = next(each for each in fixture.sections if each.kind == "doc")
    config = of_text(settings_file.from_line(section.settings))
    source = Source(section.text, "section.py")
    linted = {(each.span.start.line, each.code) for each in LINT(source, config)}
    told = {(line.line, rule.code) for line in reveal(source, config) for rule in line.rules if rule.reports}
    assert told == linted


LINT = lint_text.lint
"""The engine itself, whatever stands in its place in these tests."""
