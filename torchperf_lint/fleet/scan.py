"""A scan from the list to the last unit: what is there is left, what is missing is done, large repositories in slices."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from torchperf_lint.disk.read import read_file
from torchperf_lint.disk.write import held, put
from torchperf_lint.fleet import tables
from torchperf_lint.fleet.engines import Engine
from torchperf_lint.fleet.unit import Unit
from torchperf_lint.fleet.work import UnitJob
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.run.cache import tool
from torchperf_lint.syntax.digest import digest
from torchperf_lint.version import VERSION

ABOUT: Final = "scan.json"
LOCK: Final = ".lock"


@dataclass
class Outcome:
    """How a scan went."""

    known: int = 0
    """Units that were there."""
    done: int = 0
    rows: Counter[str] = field(default_factory=Counter)
    """The rows that were written, by table."""
    stopped: str | None = None
    """Why it stopped before the end."""


def about(job: UnitJob) -> dict[str, Any]:
    """What all units of a scan share, and a later run must share to go on."""
    config = digest([read_file(job.rules.config)]) if job.rules.config else None
    return {
        "schema": tables.VERSION,
        "tool": {"name": "torchperf-lint", "version": VERSION, "digest": tool()},
        "python": "{}.{}".format(*sys.version_info[:2]),
        "rules": {"isolated": job.rules.isolated, "config": config},
        "limits": asdict(job.limits),
    }


def open_scan(out: Path, job: UnitJob, *, resume: bool) -> AbstractContextManager[None]:
    """Make the folder of a scan ready, or see that it is one that can go on; holds it against another scan."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        there = {each.name for each in out.iterdir()} - {LOCK}
        if there and ABOUT not in there:
            raise ConfigError(f"{out}: this folder is no scan, and not empty")
        if there and not resume:
            raise ConfigError(f"{out}: a scan is here already; --resume goes on with it")
        if there:
            _same(json.loads(read_file(out / ABOUT)), about(job), out)
        return _Ready(out, job)
    except OSError as error:
        raise ConfigError(f"{out}: {error.strerror or error}") from None


class _Ready(AbstractContextManager[None]):
    def __init__(self, out: Path, job: UnitJob) -> None:
        self._out = out
        self._job = job
        self._held = held(out / LOCK)

    def __enter__(self) -> None:
        try:
            self._held.__enter__()
        except BlockingIOError:
            raise ConfigError(f"{self._out}: another scan is writing here") from None
        put(self._out / ABOUT, (json.dumps(about(self._job), indent=1) + "\n").encode("ascii"))
        tables.prepare(self._out)
        tables.sweep(self._out)

    def __exit__(self, *problem: Any) -> None:
        self._held.__exit__(*problem)


def _same(was: Any, now: dict[str, Any], out: Path) -> None:
    for name, value in now.items():
        if not isinstance(was, dict) or was.get(name) != value:
            raise ConfigError(f"{out}: the scan there differs in `{name}`; scan into a new folder")


def scan(units: Sequence[Unit], job: UnitJob, engine: Engine, progress: Callable[[int, int, Outcome], None]) -> Outcome:
    """Do all units that are not there yet."""
    outcome = Outcome()
    pending = list(units)
    while pending and outcome.stopped is None:
        there = tables.done(Path(job.out))
        missing = [unit for unit in pending if unit.key not in there]
        outcome.known += len(pending) - len(missing)
        pending = []
        for count, (unit, receipt) in enumerate(engine(job, missing), 1):
            if "stop" in receipt:
                outcome.stopped = str(receipt["stop"])
                break
            if "slices" in receipt:
                pending += unit.sliced(receipt["slices"])
                continue
            outcome.done += 1
            outcome.rows.update(receipt)
            progress(count, len(missing), outcome)
    return outcome
