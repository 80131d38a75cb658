"""What the benchmarks have in common: a command, run and measured with all its children, and tables of what came out."""

from __future__ import annotations

import atexit
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean

CHECKOUT = str(Path(__file__).parents[2])
if find_spec("torchperf_lint") is None:
    sys.path.insert(0, CHECKOUT)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [CHECKOUT, os.environ.get("PYTHONPATH", "")]))
"""What this Python has installed is measured, and the checkout where that is nothing."""
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
    "PYTHONPYCACHEPREFIX": tempfile.mkdtemp(prefix="compiled-"),
}
"""What is measured is compiled once and for all, as `pip` leaves what it installs."""
atexit.register(shutil.rmtree, ENVIRONMENT["PYTHONPYCACHEPREFIX"], ignore_errors=True)
OURS = [sys.executable, "-m", "torchperf_lint"]
PARSE = "import gc, sys, libcst; gc.disable(); [libcst.parse_module(open(p, 'rb').read()) for p in open(sys.argv[1]).read().split('\\0')]"
"""The bare LibCST parse of the files that are listed in a file."""
RECORDED = Path(CHECKOUT) / "rules_docs" / "measured"
"""Where the documentation finds what was measured."""
LOAD = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
"""What the machine had to do before: times mean little where that is more than it has cores."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a command took."""

    wall: float
    cpu: float
    """Of all its processes together."""
    memory: float
    """Of the largest of its processes, in MB."""
    code: int


def run(command: Sequence[str], folder: Path | None = None) -> Cost:
    """Run a command, its output thrown away."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    scale = 1e6 if sys.platform == "darwin" else 1e3
    return Cost(time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / scale, process.returncode)


def best(command: Sequence[str], folder: Path | None = None, times: int = 3) -> Cost:
    """The least of several runs: what else the machine does can only add."""
    return min((run(command, folder) for _ in range(times)), key=lambda cost: cost.wall)


def mean(costs: Sequence[Cost]) -> Cost:
    """The middle of several runs, with the most memory that any of them took."""
    wall, cpu = fmean(cost.wall for cost in costs), fmean(cost.cpu for cost in costs)
    return Cost(wall, cpu, max(cost.memory for cost in costs), max(cost.code for cost in costs))


def torch_files(folders: Sequence[Path]) -> list[Path]:
    """The Python files that mention torch."""
    every = (path for folder in folders for path in sorted(folder.rglob("*.py")))
    return [path for path in every if path.is_file() and b"torch" in path.read_bytes()]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown, numbers to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def circumstances(*packages: str) -> str:
    """The date, the machine, and the versions of what took part."""
    versions = ", ".join(f"{name} {_version(name)}" for name in packages)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    busy = f", busy otherwise (load {LOAD:.0f})" if (cores or 1) < LOAD else ""
    return f"{date.today()}, Python {platform.python_version()}, {platform.system()}, {cores} cores{busy}; {versions}."


def _version(name: str) -> str:
    if name == "torchperf-lint":
        from torchperf_lint.version import VERSION, is_compiled

        return f"{VERSION}{', compiled' if is_compiled() else ''}"
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
