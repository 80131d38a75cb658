"""The list: a text with a unit a line, or Parquet files; what it comes to is units.

Nothing that a line names is looked at here but data sets, whose row groups say how they are cut; what is wrong with a
line is found by who works on it, and is a row of its errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from torchperf_lint.config.config import absolute
from torchperf_lint.disk.parquet import ENDINGS, files_of, is_url, parquet_file
from torchperf_lint.disk.read import read_file
from torchperf_lint.fleet import dataset
from torchperf_lint.fleet.unit import LARGEST, Unit
from torchperf_lint.model.failure import ConfigError

LONGEST: Final = 1_000_000_000
"""Bytes of a list: ten million lines."""
WITHIN: Final = 4
"""A repository whose rows would fill so many units is cut in the middle, and not only between two of them."""


def units(name: str) -> Iterator[Unit]:
    """All that a list comes to, in its order; a line that stands there twice is one unit."""
    lines = [name] if _is_dataset(name) else _lines(name)
    for line in dict.fromkeys(lines):
        if _is_dataset(line):
            yield from _rows(line)
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


def _rows(line: str) -> Iterator[Unit]:
    """The rows of a data set, cut between repositories; a unit without rows where it cannot be read, whose work says why."""
    try:
        place = line if is_url(line) else str(absolute(line))
        for each in files_of(place):
            called = line if place == each else each
            for rows in _ranges(each):
                yield Unit(called, each, rows=rows)
    except OSError:
        yield Unit(line, line if is_url(line) else str(absolute(line)))


def _ranges(place: str) -> list[tuple[int, int, int]]:
    with parquet_file(place) as file:
        columns = dataset.columns(file)
        return [
            (group, *span)
            for group in range(file.metadata.num_row_groups)
            for span in _cut(_names(file, group, columns.repository), _at_once(file, group, columns.content))
        ]


def _names(file: Any, group: int, column: str) -> list[str | None]:
    names: list[str | None] = file.read_row_group(group, columns=[column], use_threads=False).column(0).to_pylist()
    return names


def _at_once(file: Any, group: int, column: str) -> int:
    """How many rows of a row group are a unit, by the mean size of its texts."""
    described = file.metadata.row_group(group)
    sizes = {
        described.column(index).path_in_schema: described.column(index).total_uncompressed_size
        for index in range(described.num_columns)
    }
    return max(1, LARGEST * int(described.num_rows) // max(1, int(sizes.get(column, 1))))


def _cut(names: list[str | None], at_once: int) -> Iterator[tuple[int, int]]:
    """Where rows are cut: at the first new repository after so many, in one only where it is by far too large."""
    first = 0
    for index in range(1, len(names)):
        count = index - first
        if (count >= at_once and names[index] != names[index - 1]) or count >= WITHIN * at_once:
            yield first, index
            first = index
    if names:
        yield first, len(names)
