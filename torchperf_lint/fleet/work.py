"""What is done to a unit, by whichever engine: open what it names, lint each repository, write the rows, say how it went.

Reading what strangers have written and linting it is done in processes apart, with limits; this one only writes. What
goes wrong there is a row of errors. Where rows cannot be written nobody is to blame but the disk, and the scan stops.
"""

from __future__ import annotations

import errno
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from torchperf_lint.fleet import tables, temporary
from torchperf_lint.fleet.apart import Limits, Lost, Spent, apart
from torchperf_lint.fleet.dataset import Rows, ranges
from torchperf_lint.fleet.lint_repository import Rules, lint
from torchperf_lint.fleet.sources import NoRoomError, repositories
from torchperf_lint.fleet.unit import Unit
from torchperf_lint.run.lint_file import lint_bytes

OURS: Final = {getattr(errno, name, None) for name in ("ENOSPC", "EDQUOT", "EROFS", "EMFILE", "ENFILE")}
"""What is wrong with this machine and not with what is read."""
SAMPLE: Final = b"""
import torch
from torch import nn

def train(model: nn.Module, loader, optimizer):
    model.cuda()
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
        print(loss.item())
"""
"""Linted before there are copies of a process, so that what the first file needs is read once and for all of them."""


@dataclass(slots=True)
class _Found:
    """What has come of a unit so far."""

    rows: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: {table: [] for table in tables.COLUMNS})
    slices: int = 0

    def add(self, unit: Unit, repository: Mapping[str, Any], rows: Mapping[str, Any]) -> None:
        same = {"unit": unit.key, "repository": repository["name"], "revision": repository.get("revision")}
        for table, some in rows.items():
            self.rows[table] += [{**same, "path": None, **row} for row in some]


@dataclass(frozen=True, slots=True)
class UnitJob:
    """The job of a scan; sent to every process."""

    out: str
    rules: Rules
    limits: Limits

    def to_text(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> UnitJob:
        plain = json.loads(text)
        return cls(plain["out"], Rules(**plain["rules"]), Limits(**plain["limits"]))

    def prepare(self) -> None:
        """Import what the first unit would, and remove what runs have left that were killed."""
        temporary.sweep()
        tables.schema("findings")
        with temporary.folder() as nowhere:  # a project without other files
            lint_bytes(SAMPLE, "sample.py", Rules(isolated=True).configs(nowhere).run)

    def __call__(self, text: str) -> bytes:
        """Do a unit; the answer says how it went, and no more: rows are in their files."""
        unit = Unit.from_text(text)
        try:
            with temporary.folder() as folder:
                return self._receipt(self._done(unit, folder))
        except OSError as error:
            return self._receipt({"stop": error.strerror or str(error)})

    def lose(self, unit: Unit, why: str) -> dict[str, Any]:
        """Write down that a unit was given up; the answer is as that of doing it."""
        found = _Found()
        found.add(unit, {"name": unit.line}, {"errors": [{"kind": "died", "message": why}]})
        return self._written(unit, found)

    def _receipt(self, plain: Mapping[str, Any]) -> bytes:
        return json.dumps(plain).encode("ascii")

    def _done(self, unit: Unit, folder: Path) -> dict[str, Any]:
        found = _Found()
        opened = self._open(unit, folder)
        if "stop" in opened:
            return opened
        if "errors" in opened:
            found.add(unit, {"name": unit.line}, opened)
        for repository in opened.get("repositories", ()):
            self._lint(unit, repository, found)
        return {"slices": found.slices} if found.slices else self._written(unit, found)

    def _open(self, unit: Unit, folder: Path) -> dict[str, Any]:
        if unit.rows is None and os.path.isdir(unit.place):  # noqa: PTH112 - without raising, whatever the list has there
            return _opened(unit, folder)  # it stays where it is, and nothing of it is read
        return self._apart("open", {"unit": unit.to_text(), "folder": str(folder)}, Spent())

    def _lint(self, unit: Unit, repository: Mapping[str, Any], found: _Found) -> None:
        start, spent = time.perf_counter(), Spent()
        part = (0, 1) if unit.rows is not None else unit.slice
        given = {"folder": repository["folder"], "rules": asdict(self.rules), "part": part}
        answer = self._apart("lint", given, spent)
        if "slices" in answer:
            found.slices = answer["slices"]
            return
        found.add(unit, repository, answer)
        if not unit.slice or not unit.slice[0]:
            skipped = [{"path": path, "kind": "file", "message": why} for path, why in repository["skipped"]]
            found.add(unit, repository, {"errors": skipped})
        timing = {
            "seconds": time.perf_counter() - start,
            **asdict(spent),
            "host": platform.node(),
            "ended": time.time(),
        }
        found.add(unit, repository, {"timings": [timing]})

    def _apart(self, name: str, given: dict[str, Any], spent: Spent) -> dict[str, Any]:
        answer = apart(perform, name, given, self.limits, spent)
        if isinstance(answer, Lost):
            return {"errors": [{"path": None, "kind": answer.kind, "message": answer.message}]}
        return answer

    def _written(self, unit: Unit, found: _Found) -> dict[str, Any]:
        rows = {table: [_without(row, table) for row in some] for table, some in found.rows.items()}
        tables.write(Path(self.out), unit.key, rows)
        return {table: len(some) for table, some in rows.items()}


def _without(row: dict[str, Any], table: str) -> dict[str, Any]:
    return {name: row.get(name) for name in tables.COLUMNS[table]}


def perform(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """What is done apart."""
    if name == "plan":
        return _planned(given["place"])
    if name == "open":
        return _opened(Unit.from_text(given["unit"]), Path(given["folder"]))
    answer = lint(Path(given["folder"]), Rules(**given["rules"]), given["part"])
    return {"slices": answer} if isinstance(answer, int) else dict(answer)


def _opened(unit: Unit, folder: Path) -> dict[str, Any]:
    try:
        return {"repositories": [each.to_plain() for each in repositories(unit, folder)]}
    except MemoryError:
        raise
    except NoRoomError as error:
        return {"stop": str(error)}
    except OSError as error:
        if error.errno in OURS:
            return {"stop": error.strerror}
        return {"errors": [{"kind": "input", "message": error.strerror or str(error)}]}
    except Exception as error:  # of a file system behind a URL
        return {"errors": [{"kind": "input", "message": f"{type(error).__name__}: {str(error)[:200]}"}]}


def _planned(place: str) -> dict[str, Any]:
    try:
        return {"rows": ranges(place)}
    except MemoryError:
        raise
    except Exception:  # whoever works on it says what is wrong
        return {"rows": []}


def planner(limits: Limits) -> Callable[[str], list[Rows]]:
    """What finds out, apart, how a Parquet file is cut."""

    def plan(place: str) -> list[Rows]:
        answer = apart(perform, "plan", {"place": place}, limits, Spent())
        return [] if isinstance(answer, Lost) else [(rows[0], rows[1], rows[2]) for rows in answer["rows"]]

    return plan


def once() -> int:
    """The whole life of a process apart that is not a copy: what is to be done comes in, the answer goes out."""
    name, given, _ = json.loads(sys.stdin.buffer.read())
    sys.stdout.buffer.write(json.dumps(perform(name, given)).encode("ascii"))
    return 0


def serve() -> int:
    """The life of a process that an engine keeps beside itself: a job, then units, a line each, until there are no more."""
    job = UnitJob.from_text(sys.stdin.readline())
    job.prepare()
    for line in sys.stdin:
        sys.stdout.buffer.write(job(line) + b"\n")
        sys.stdout.buffer.flush()
    return 0
