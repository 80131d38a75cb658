"""Data sets of source files: a row a file, with the repository, the path in it, and the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from torchperf_lint.disk.parquet import parquet_file
from torchperf_lint.disk.read import UnfitFileError
from torchperf_lint.fleet.unit import LARGEST

Rows = tuple[int, int, int]
"""A row group, its first row, and the row after the last."""

NAMES: Final = {
    "repository": ("repository", "repository_name", "repo_name", "repo", "max_stars_repo_name"),
    "path": ("path", "file_path", "max_stars_repo_path"),
    "content": ("content", "text"),
}
"""How data sets call the three columns; the first that is there counts."""
WITHIN: Final = 4
"""A repository whose rows would fill so many units is cut in the middle, and not only between two of them."""
AT_ONCE: Final = 256
"""Rows that are held at once."""


@dataclass(frozen=True, slots=True)
class Columns:
    """What a data set calls its columns."""

    repository: str
    path: str
    content: str


def columns(file: Any) -> Columns:
    """The columns of an open Parquet file; an `OSError` where it has others."""
    there = set(file.schema_arrow.names)
    found = {meant: next((name for name in names if name in there), None) for meant, names in NAMES.items()}
    missing = [meant for meant, name in found.items() if name is None]
    if missing:
        raise UnfitFileError(f"no column `{missing[0]}` ({', '.join(sorted(there))[:200]})")
    return Columns(*(str(found[meant]) for meant in ("repository", "path", "content")))


def files(file: Any, group: int, first: int, last: int) -> Iterator[tuple[str, str, bytes]]:
    """The repository, path and text of some rows of a row group."""
    called = columns(file)
    names = [called.repository, called.path, called.content]
    at = 0
    for batch in file.iter_batches(batch_size=AT_ONCE, row_groups=[group], columns=names, use_threads=False):
        begin, end = max(first - at, 0), min(last - at, batch.num_rows)
        at += batch.num_rows
        if begin < end:
            rows = batch.slice(begin, end - begin)
            repositories, paths, contents = (_values(rows.column(name)) for name in names)
            for repository, path, content in zip(repositories, paths, contents, strict=True):
                yield _text(repository), _text(path), content if isinstance(content, bytes) else _text(content).encode()
        if at >= last:
            return


def _values(column: Any) -> list[Any]:
    """The values of a column; texts as bytes, as one that is no UTF-8 would be an error of all of them."""
    import pyarrow.types

    if pyarrow.types.is_string(column.type):
        column = column.cast("binary")
    elif pyarrow.types.is_large_string(column.type):
        column = column.cast("large_binary")
    values: list[Any] = column.to_pylist()
    return values


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return value if isinstance(value, str) else "" if value is None else str(value)


def ranges(place: str) -> list[Rows]:
    """The rows of a Parquet file, cut between repositories."""
    with parquet_file(place) as file:
        called = columns(file)
        return [
            (group, *span)
            for group in range(file.metadata.num_row_groups)
            for span in cut(_names(file, group, called.repository), _at_once(file, group, called.content))
        ]


def _names(file: Any, group: int, column: str) -> list[Any]:
    return _values(file.read_row_group(group, columns=[column], use_threads=False).column(0))


def _at_once(file: Any, group: int, column: str) -> int:
    """How many rows of a row group are a unit, by the mean size of its texts."""
    described = file.metadata.row_group(group)
    sizes = {
        described.column(index).path_in_schema: described.column(index).total_uncompressed_size
        for index in range(described.num_columns)
    }
    return max(1, LARGEST * int(described.num_rows) // max(1, int(sizes.get(column, 1))))


def cut(names: list[Any], at_once: int) -> Iterator[tuple[int, int]]:
    """Where rows are cut: at the first new repository after so many, in one only where it is by far too large."""
    first = 0
    for index in range(1, len(names)):
        count = index - first
        if (count >= at_once and names[index] != names[index - 1]) or count >= WITHIN * at_once:
            yield first, index
            first = index
    if names:
        yield first, len(names)
