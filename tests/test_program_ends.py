"""What is left of `--verify -- COMMAND` when it is ended in the middle: no process, and no folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from light_torch import LIGHT

pytest.importorskip("torch")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="ends of processes are Linux's")]

TRAIN = (
    LIGHT
    + """
import os
import time

import torch
from model import Net

with open(sys.argv[1], "a") as runs:
    runs.write(f"{os.getpid()}\\n")
torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=1e-2)
for step in range(4000):
    loss = net(torch.randn(8, 16)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if len(open(sys.argv[1]).readlines()) == int(sys.argv[2]):
        time.sleep(600)
"""
)
MODEL = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(16, 16)

    def forward(self, x):
        seen = torch.zeros(0, 16)
        for _ in range(60):
            seen = torch.cat([seen, x])
        return self.inner(x) + seen.mean()
"""


def ended_in_run(number: int, how: signal.Signals, top: Path) -> subprocess.CompletedProcess[str]:
    """The tool, ended while the program hangs in so many-th run."""
    (top / "tree").mkdir()
    (top / "temporary").mkdir()
    (top / "tree" / "train.py").write_text(TRAIN, encoding="utf-8")
    (top / "tree" / "model.py").write_text(MODEL, encoding="utf-8")
    runs = top / "runs.txt"
    line = [sys.executable, "-m", "torchperf_lint", "--isolated", "--no-cache", "--select", "TPL502"]
    line += [
        "--verify",
        "--steps",
        "4",
        "--format",
        "json",
        ".",
        "--",
        sys.executable,
        "train.py",
        str(runs),
        str(number),
    ]
    process = subprocess.Popen(
        line, cwd=top / "tree", env=os.environ | {"TMPDIR": str(top / "temporary")},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip
    within(400, lambda: process.poll() is not None or (runs.exists() and len(runs.read_text().split()) == number))
    assert process.poll() is None, process.communicate()
    process.send_signal(how)
    out, err = process.communicate(timeout=60)
    within(20, lambda: not Path(f"/proc/{runs.read_text().split()[-1]}").exists())
    return subprocess.CompletedProcess(line, process.returncode, out, err)


def ours(top: Path) -> list[str]:
    """What is left in the temporary folder beside torch's own cache."""
    return [each.name for each in (top / "temporary").iterdir() if not each.name.startswith("torchinductor_")]


def within(seconds: float, is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_what_was_measured_is_kept_and_nothing_else(tmp_path: Path, how: signal.Signals) -> None:
    """In the fourth run: two of the original and one of the fix make a pair."""
    done = ended_in_run(4, how, tmp_path)
    assert done.returncode == 130, done.stderr
    findings = json.loads(done.stdout.partition("\nMeasured")[0])["findings"]
    assert findings[0]["verified"]["verdict"].startswith("not measured: it was interrupted after 1 pair")
    assert ours(tmp_path) == []


@pytest.mark.parametrize("number", [1, 3])
def test_a_program_does_not_outlive_a_tool_that_is_killed(tmp_path: Path, number: int) -> None:
    """The first run is started by Python, the third is split off from a process that is ready."""
    ended_in_run(number, signal.SIGKILL, tmp_path)
    assert all(name.startswith("torchperf-lint-aside-") for name in ours(tmp_path)), "which the next run sweeps"
