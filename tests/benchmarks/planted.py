"""Whether `--verify -- COMMAND` catches what is planted: a tree that is slower, and a fix that changes what is computed.

    python tests/benchmarks/planted.py [--runs 10] [--device cuda] [--only slower]

The slower tree computes each layer eight times, and is held against its last commit. The wrong fix is one of the
tool's own: gradients of a maximum go to one of equal values before it, and to all of them after it, and in this program
values are equal. After each run the user's files must be what they were, byte by byte.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

PACKAGE: Final = Path(__file__).parents[2]
TRAIN: Final = """\
import sys

import torch
from model import Net

torch.manual_seed(0)
device = sys.argv[1]
net = Net().to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=1e-2)
for step in range(4000):
    loss = net(torch.randn(256, 256, device=device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with open("log.txt", "a") as log:
        log.write("step\\n")
"""
MODEL: Final = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(256, 256)

    def forward(self, x: torch.Tensor):
        for _ in range({turns}):
            x = torch.relu(self.inner(x))
        return {result}
"""
TIES: Final = "torch.cat([x, 2 * x - x.detach()], dim=-1).view(256, 2, 16, 16).max(dim=1)[0]"
"""Each value is there twice, with gradients of 1 and 2: a maximum takes the one, half of each is 1.5."""


def project(folder: Path) -> None:
    (folder / "train.py").write_text(TRAIN, encoding="utf-8")
    (folder / "model.py").write_text(MODEL.format(turns=4, result="x"), encoding="utf-8")
    for words in (("init", "-q"), ("add", "-A"), ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one")):
        subprocess.run(["git", *words], cwd=folder, check=True)


def digest(folder: Path) -> str:
    """Everything in a tree but git's own notes: names, contents, times."""
    made = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts):
        made.update(f"{path.relative_to(folder)} {path.stat().st_mtime_ns}".encode() + path.read_bytes())
    return made.hexdigest()


def ours(folder: Path, device: str, report: Path, *options: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "torchperf_lint", "--isolated", "--no-cache", "--format", f"json={report}", *options]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, (str(PACKAGE), os.environ.get("PYTHONPATH")))),
        "OMP_NUM_THREADS": "1",
    }
    return subprocess.run(
        [*line, "--", sys.executable, "train.py", device], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )  # fmt: skip


def slower(folder: Path, device: str, report: Path) -> tuple[bool, str]:
    """The tree computes each layer eight times, of which seven are thrown away."""
    again = MODEL.replace("x = torch.relu(self.inner(x))", "x = [torch.relu(self.inner(x)) for _ in range(8)][0]")
    (folder / "model.py").write_text(again.format(turns=4, result="x"), encoding="utf-8")
    before = digest(folder)
    time = "20m" if device == "cpu" else "1m"
    line = ("--verify", "--against", "HEAD", "--fail-slower", "3%", "--precision", "10%", "--time", time)
    done = ours(folder, device, report, *line)
    (verdict,) = json.loads(report.read_text(encoding="utf-8"))["verdicts"]
    caught = verdict["verdict"] == "slower" and done.returncode == 1
    return caught and digest(folder) == before, said(verdict)


def wrong(folder: Path, device: str, report: Path) -> tuple[bool, str]:
    """`--fix --verify` keeps what pays: this must not be kept."""
    (folder / "model.py").write_text(MODEL.format(turns=1, result=TIES), encoding="utf-8")
    before = digest(folder)
    line = ("--select", "TPL612", "--fix", "--unsafe-fixes", "--verify", "--time", "20m", ".")
    done = ours(folder, device, report, *line)
    findings = json.loads(report.read_text(encoding="utf-8"))["findings"]
    verdicts = [each["verified"]["verdict"] for each in findings if each["verified"]]
    caught = len(verdicts) == 1 and verdicts[0].startswith("different")
    return caught and digest(folder) == before, "; ".join(verdicts) or done.stderr[-200:]


def said(verdict: dict[str, Any]) -> str:
    ratio = verdict["ratio"]
    return (
        f"{verdict['verdict']} {ratio['speedup']:.2f}x ({ratio['low']:.2f} to {ratio['high']:.2f})"
        if ratio
        else str(verdict)
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--only", default="", help="what has this in its name")
    chosen = parser.parse_args()
    missed = 0
    wanted = [each for each in (("a wrong fix", wrong), ("a slower tree", slower)) if chosen.only in each[0]]
    for name, planted in wanted:
        for number in range(1, chosen.runs + 1):
            with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as reports:
                project(Path(folder))
                caught, words = planted(Path(folder), chosen.device, Path(reports) / "report.json")
            missed += not caught
            print(f"{name} {number}: {'caught' if caught else 'MISSED'}: {words}", flush=True)
    runs = len(wanted) * chosen.runs
    print(f"{runs - missed} of {runs} caught, and the files of the user as they were")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
