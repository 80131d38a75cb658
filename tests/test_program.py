"""`--verify PATHS -- COMMAND` and `--against`, on a program that runs on the CPU."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from light_torch import LIGHT
from shell import Shell, write

from torchperf_lint.verify.program import command, search
from torchperf_lint.verify.program.aside import Aside
from torchperf_lint.verify.program.command import duration, share
from torchperf_lint.verify.program.runs import _moved, outside

pytest.importorskip("torch")

TRAIN = f"""\
{LIGHT}
import torch
from model import Net

torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=1e-2)
for step in range(200):
    loss = net(torch.randn(8, 16)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    open("log.txt", "a").write("step\\n")
"""
MODEL = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(16, 16)

    def forward(self, x):
        seen = torch.zeros(0, 16)
        for _ in range({turns}):
            seen = torch.cat([seen, x])
        return self.inner(x) + seen.mean() * {scale}
"""
LINE = (sys.executable, "train.py")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(search, "FEWEST", 2)
    monkeypatch.setattr(search, "MOST", 2)  # on a busy machine they differ so much that many more would be asked for
    monkeypatch.setenv("NO_COLOR", "1")
    git("init", "-q")
    write("train.py", TRAIN)
    write("model.py", MODEL.format(turns=60, scale=1))
    git("add", "-A")
    git("commit", "-qm", "one")
    return tmp_path


def git(*words: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True, capture_output=True)


def tree() -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in Path().iterdir() if path.is_file()}


@pytest.mark.slow
def test_a_program_is_measured_and_the_users_files_stay_as_they_are(project: Path, run: Shell) -> None:
    before = tree()
    lint = ("--isolated", "--no-cache", "--select", "TPL502", "--format", "json")
    assert run(*lint, "--verify", "--steps", "5", ".", "--", *LINE) in (0, 1), run.err
    (finding,) = json.loads(run.out.partition("\nMeasured")[0])["findings"]
    assert finding["verified"]["verdict"].startswith(("faster", "no gain", "cannot tell", "slower"))
    (measured,) = finding["verified"]["measurements"]
    assert measured["clock"] == "step"
    assert measured["low"] <= measured["speedup"] <= measured["high"]
    assert tree() == before, "the program's log went to the copy"


@pytest.mark.slow
def test_a_revision_that_computes_something_else_fails(project: Path, run: Shell) -> None:
    line = ("--verify", "--against", "HEAD", "--fail-slower", "50%", "--steps", "5", "--", *LINE)
    write("model.py", MODEL.format(turns=60, scale=1.5))
    reports = ("--format", "text", "--format", "json=said.json", "--format", "markdown=said.md")
    assert run(*reports, *line) == 1
    assert "different" in run.out
    (verdict,) = json.loads(Path("said.json").read_text(encoding="utf-8"))["verdicts"]
    assert verdict["verdict"] == "different"
    assert "| the tree as it is, against HEAD |" in Path("said.md").read_text(encoding="utf-8")
    assert "the loss of step 0 is" in run.out
    assert "the tree as it is, against HEAD" in run.out


@pytest.mark.slow
def test_a_program_that_fails_is_an_error_with_its_last_words(project: Path, run: Shell) -> None:
    write("train.py", f"{LIGHT}; import torch\nprint('hello')\ninput('password: ')\n")
    assert run("--isolated", "--select", "TPL502", "--verify", "model.py", "--", *LINE) == 2
    assert "the program cannot be measured: the program ended with exit code 1:" in run.err
    assert "\n  | EOFError" in run.err, "there is nobody to answer it"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--", "python", "x.py"), "No such file"),
        (("--fix", "--", "python", "x.py"), "No such file"),
        (("--verify", "-", "--", "python", "x.py"), "`--verify -- COMMAND` measures files, not the standard input"),
        (("--verify", "--against", "main"), "`--against` needs a command to measure"),
        (("--verify", "--fail-slower", "3%", "--", "python"), "`--fail-slower` needs `--against REVISION`"),
        (("--verify", "--precision", "3", "--", "python"), "--precision 3: a share is meant, such as 2%"),
        (("--verify", "--time", "soon", "--", "python"), "--time soon: a time is meant, such as 90s or 10m"),
        (("--against", "nowhere", "--verify", "--", "python"), "--against"),
        (("--verify", "--against", "HEAD", "--format", "sarif", "--", "python"), "reported as text, json, markdown"),
    ],
)
def test_what_does_not_go_together(project: Path, run: Shell, words: tuple[str, ...], said: str) -> None:
    assert run(*words) == 2
    assert said in run.err


def test_nothing_to_measure_is_said(project: Path, run: Shell) -> None:
    write("model.py", "import torch\n")
    assert run("--isolated", "--verify", ".", "--", *LINE) == 0
    assert "Nothing to measure: no finding has a fix that can be applied." in run.out


def test_shares_and_times() -> None:
    assert [share(text, "--precision") for text in ("2%", "0.02", "0.5%")] == [0.02, 0.02, 0.005]
    assert [duration(text, "--time") for text in ("90", "90s", "10m", "1.5h")] == [90, 90, 600, 5400]
    assert command.UNITS


def test_places_outside_of_the_tree_that_a_command_names_are_known(tmp_path: Path) -> None:
    here, there = tmp_path / "tree" / "src", tmp_path / "out"
    here.mkdir(parents=True)
    words = (
        "python",
        "train.py",
        "--data=../data",
        f"--out={there}",
        "--log",
        "../../log",
        f"{here}/a.yaml",
        "--lr=1e-3",
        sys.executable,
    )
    assert outside(words, here, tmp_path / "tree") == [str(there), "../../log"]


def test_a_path_beside_the_tree_is_not_taken_for_one_in_it(tmp_path: Path) -> None:
    copy = Aside(tmp_path / "tree", tmp_path / "copy")
    words = [
        "train.py",
        f"{tmp_path}/tree/a.py",
        f"--data={tmp_path}/tree/sub/../b",
        f"{tmp_path}/tree/../c",
        "../d",
        "--lr=1",
    ]
    assert list(_moved(words, copy)) == [
        "train.py",
        f"{tmp_path}/copy/a.py",
        f"--data={tmp_path}/copy/b",
        f"{tmp_path}/tree/../c",
        "../d",
        "--lr=1",
    ]
