"""A scan from the list to the last unit: what is there is left, what is missing is done, large repositories in slices."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
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
PATIENCE: Final = 10.0
"""So many seconds who goes on waits for the processes of a scan that was killed: until they see it they hold its lock."""
_NAP: Final = 0.1


@dataclass
class Outcome:
    """How a scan went."""

    known: int = 0
    """Units that were there."""
    done: int = 0
    rows: Counter[str] = field(default_factory=Counter)
    """The rows that were written, by table."""
    undone: int = 0
    """Units that are still missing, and nobody knows anything against them."""
    stopped: str | None = None
    """Why it did not come to the end."""


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


@contextmanager
def open_scan(out: Path, job: UnitJob, *, resume: bool) -> Iterator[None]:
    """Make the folder of a scan ready, or see that it is one that can go on; holds it against another scan."""
    try:
        _look(out, job, resume=resume)
        with ExitStack() as stack:
            _hold(stack, out, PATIENCE if resume else 0.0)
            put(out / ABOUT, (json.dumps(about(job), indent=1) + "\n").encode("ascii"))
            tables.prepare(out)
            tables.sweep(out)
            yield
            tables.sweep(out)  # of workers that were killed in the middle of a unit
    except OSError as error:
        raise ConfigError(f"{out}: {error.strerror or error}") from None


def _hold(stack: ExitStack, out: Path, patience: float) -> None:
    """Hold a folder until a stack ends; raises `ConfigError` where another scan does for longer than some seconds."""
    end = time.monotonic() + patience
    while True:
        try:
            stack.enter_context(held(out / LOCK))
            return
        except BlockingIOError:
            if time.monotonic() >= end:
                raise ConfigError(f"{out}: another scan is writing here") from None
        time.sleep(_NAP)


def _look(out: Path, job: UnitJob, *, resume: bool) -> None:
    """Raises `ConfigError` where a folder holds something else than what this scan may go on with."""
    out.mkdir(parents=True, exist_ok=True)
    there = {each.name for each in out.iterdir()} - {LOCK}
    if there and ABOUT not in there:
        raise ConfigError(f"{out}: this folder is no scan, and not empty")
    if there and not resume:
        raise ConfigError(f"{out}: a scan is here already; --resume goes on with it")
    if there:
        try:
            was = json.loads(read_file(out / ABOUT))
        except ValueError:
            raise ConfigError(f"{out}: its {ABOUT} is damaged") from None
        _same(was, about(job), out)


def _same(was: Any, now: dict[str, Any], out: Path) -> None:
    for name, value in now.items():
        if not isinstance(was, dict) or was.get(name) != value:
            raise ConfigError(f"{out}: the scan there differs in `{name}`; scan into a new folder")


def scan(units: Sequence[Unit], job: UnitJob, engine: Engine, progress: Callable[[int, int, Outcome], None]) -> Outcome:
    """Do all units that are not there yet."""
    outcome = Outcome()
    pending, why = list(units), ""
    while pending and outcome.stopped is None:
        there = tables.done(Path(job.out))
        missing = [unit for unit in pending if unit.key not in there]
        outcome.known += len(pending) - len(missing)
        pending = []
        for count, (unit, receipt) in enumerate(engine(job, missing) if missing else (), 1):
            if "stop" in receipt:
                outcome.stopped = str(receipt["stop"])
                break
            if "undone" in receipt:
                outcome.undone += 1
                why = receipt["undone"]
                continue
            if "slices" in receipt:
                pending += unit.sliced(receipt["slices"])
                continue
            outcome.done += 1
            outcome.rows.update(receipt)
            progress(count, len(missing), outcome)
    if outcome.undone and outcome.stopped is None:
        outcome.stopped = f"{outcome.undone:,} of the units were lost by the cluster ({why})"
    return outcome
