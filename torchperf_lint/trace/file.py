"""The file of a trace: JSON in gzip, columns of numbers and tables of names; small, versioned, and without any text of the program.

`rules_docs/trace.md` documents the format. A file that is damaged, cut off, or of something else is a clear error.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Final, TypeVar

from torchperf_lint.disk.write import output
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.trace.chrome import loaded, number
from torchperf_lint.trace.recording import NOWHERE, Call, File, Line, Site, Span, Timing, Trace, Work
from torchperf_lint.version import VERSION

FORMAT: Final = "torchperf-lint trace"
FORMAT_VERSION: Final = 2
READ: Final = (1, 2)
"""The first version knew the operator of each call; the second one leaves that to the profiler of torch, which it slowed down."""
LARGEST: Final = 50_000_000
PLACES: Final = 2
"""Digits behind the point of a microsecond."""

Plain = Mapping[str, Any]
R = TypeVar("R", Line, Site, Call, Work, Span)


def write(path: Path, trace: Trace) -> None:
    """Write a trace; raises `ConfigError`."""
    try:
        output(path, packed(trace))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from None


def packed(trace: Trace) -> bytes:
    """The bytes of a file: the same for the same trace."""
    plain = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "tool": VERSION,
        "about": dict(trace.about),
        "timing": asdict(trace.timing) if trace.timing else None,
        "starts": [round(each, PLACES) for each in trace.starts],
        "files": [
            {"path": each.path, "digests": "".join(f"{digest:10}" for digest in each.digests)} for each in trace.files
        ],
        "names": list(trace.names),
        "counters": dict(trace.counters),
        "untold": list(trace.untold),
        **{name: _columns(getattr(trace, name), kind) for name, kind in TABLES.items()},
    }
    return gzip.compress(json.dumps(plain, separators=(",", ":")).encode(), mtime=0)


TABLES: Final[Mapping[str, type]] = {"lines": Line, "sites": Site, "calls": Call, "works": Work, "spans": Span}


def _columns(rows: Sequence[Any], kind: type) -> dict[str, list[float]]:
    """A list a field; a start counts from the row before."""
    made: dict[str, list[float]] = {}
    for each in fields(kind):
        values = [getattr(row, each.name) for row in rows]
        if each.name == "start":
            values = [value - before for value, before in zip(values, [0.0, *values], strict=False)]
        made[each.name] = [round(value, PLACES) if isinstance(value, float) else value for value in values]
    return made


def read(path: Path) -> Trace:
    """The trace in a file; raises `ConfigError`."""
    return unpack(loaded(path, LARGEST), str(path))


def is_ours(plain: object) -> bool:
    return isinstance(plain, dict) and plain.get("format") == FORMAT


def unpack(plain: Any, what: str) -> Trace:
    """The trace that some JSON holds; raises `ConfigError`."""
    if not is_ours(plain):
        raise ConfigError(f"{what}: not a trace of this tool")
    if plain.get("version") not in READ:
        raise ConfigError(
            f"{what}: a trace of version {plain.get('version')!r}; this tool reads versions {READ[0]} to {READ[-1]}"
        )
    try:
        trace = _trace(plain)
        _check(trace)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
        raise ConfigError(f"{what}: damaged: it lacks what a trace holds, or holds something else") from None
    return trace


def _trace(plain: Plain) -> Trace:
    timing = plain["timing"]
    about = {str(key): value for key, value in plain["about"].items()}
    if not all(isinstance(about.get(name, 0), int) for name in ("rank", "local_rank", "size")):
        raise ValueError("a rank that is no number")
    return Trace(
        about=about,
        timing=_timing(timing) if timing else None,
        starts=tuple(number(each) for each in plain["starts"]),
        files=tuple(File(str(each["path"]), _digests(each["digests"])) for each in plain["files"]),
        lines=_rows(plain["lines"], Line),
        sites=_rows(plain["sites"], Site),
        names=tuple(str(each) for each in plain["names"]),
        calls=_rows(plain["calls"], Call),
        works=_rows(plain["works"], Work),
        spans=_rows(plain["spans"], Span),
        counters={str(key): _count(value) for key, value in plain["counters"].items()},
        untold=tuple(str(each) for each in plain["untold"]),
    )


def _timing(plain: Plain) -> Timing:
    ms, low, high = (number(plain[name]) for name in ("ms", "low", "high"))
    if not 0 <= low <= ms <= high or not ms:
        raise ValueError("no time that a step can take")
    repeats = _count(plain.get("round", 1))
    if repeats < 1:
        raise ValueError("no steps that could repeat")
    wander = number(plain.get("wander", 0.0))
    if wander < 0:
        raise ValueError("steps that differ by less than nothing")
    loading = number(plain.get("loading", 0.0))
    if loading < 0:
        raise ValueError("a loader that takes less than no time")
    return Timing(_count(plain["steps"]), ms, low, high, repeats, wander, loading)


def _count(value: Any) -> int:
    return int(number(value))


def _digests(text: str) -> tuple[str, ...]:
    return tuple(text[start : start + 10].strip() for start in range(0, len(text), 10))


def _rows(columns: Plain, kind: type[R]) -> tuple[R, ...]:
    values = []
    for each in fields(kind):
        convert: Callable[[Any], float] = number if each.type == "float" else _count
        column = [convert(value) for value in columns[each.name]]
        if each.name == "start":
            column = _summed(column)
        values.append(column)
    return tuple(kind(*row) for row in zip(*values, strict=True))


def _summed(column: Sequence[float]) -> list[float]:
    total, made = 0.0, []
    for each in column:
        total += each
        made.append(total)
    return made


def _check(trace: Trace) -> None:
    """Every number of a table is a row of it; raises `ValueError`."""
    _within(trace.files, (line.file for line in trace.lines), least=0)
    _within(trace.lines, (number for site in trace.sites for number in (site.line, site.own, site.forward)))
    _within(trace.sites, (*(call.site for call in trace.calls), *(span.site for span in trace.spans)))
    _within(trace.names, (number for call in trace.calls for number in (call.name, call.operator)))
    _within(trace.names, (*(work.name for work in trace.works), *(span.name for span in trace.spans)), least=0)
    _within(trace.calls, (work.call for work in trace.works), least=0)
    if list(trace.starts) != sorted(trace.starts):
        raise ValueError("steps that go back in time")


def _within(table: Sequence[object], numbers: Iterable[int], least: int = NOWHERE) -> None:
    if not all(least <= number < len(table) for number in numbers):
        raise ValueError("a number of no row")
