"""The list: a text with a unit a line, or Parquet files; what it comes to is units.

Nothing that a line names is looked at here; what is wrong with a line is found by who works on it, and is a row of its
errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from torchperf_lint.config.config import absolute
from torchperf_lint.disk.parquet import ENDINGS, files_of, is_url
from torchperf_lint.disk.read import read_file
from torchperf_lint.fleet.dataset import Rows
from torchperf_lint.fleet.unit import Unit
from torchperf_lint.model.failure import ConfigError

LONGEST: Final = 1_000_000_000
"""Bytes of a list: ten million lines."""


def units(name: str, ranges: Callable[[str], list[Rows]]) -> Iterator[Unit]:
    """All that a list comes to, in its order; a line that stands there twice is one unit.

    Which rows of a Parquet file are a unit is for the caller to find out: it reads what strangers have written.
    """
    lines = [name] if _is_dataset(name) else _lines(name)
    for line in dict.fromkeys(lines):
        if _is_dataset(line):
            yield from _rows(line, ranges)
        else:
            yield Unit(line, str(absolute(line)))


def _is_dataset(line: str) -> bool:
    return is_url(line) or line.endswith(ENDINGS) or ("*" in line and line.rpartition("*")[2] in ENDINGS)


def _lines(name: str) -> list[str]:
    path = absolute(name)
    if path.is_dir() and (found := files_of(str(path))):
        return found if Path(name).is_absolute() else [str(Path(name) / Path(each).name) for each in found]
    try:
        text = read_file(path, LONGEST).decode("utf-8", "surrogateescape")
    except IsADirectoryError:
        raise ConfigError(f"{name}: a list is a text file with a unit a line, or Parquet files") from None
    except OSError as error:
        raise ConfigError(f"{name}: {error.strerror or error}") from None
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _rows(line: str, ranges: Callable[[str], list[Rows]]) -> Iterator[Unit]:
    """The rows of a data set; a unit without rows where there are none, or nobody can tell: its work says why."""
    place = line if is_url(line) else str(absolute(line))
    try:
        files = files_of(place)
    except OSError:
        files = []
    for each in files or [place]:
        called = line if place == each else each
        found = ranges(each)
        yield from (Unit(called, each, rows=rows) for rows in found) if found else [Unit(called, each)]
