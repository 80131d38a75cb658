"""Data sets of source files: a row a file, with the repository, the path in it, and the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from torchperf_lint.disk.read import UnfitFileError

NAMES: Final = {
    "repository": ("repository", "repository_name", "repo_name", "repo", "max_stars_repo_name"),
    "path": ("path", "file_path", "max_stars_repo_path"),
    "content": ("content", "text"),
}
"""How data sets call the three columns; the first that is there counts."""
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
            repositories, paths, contents = (rows.column(name).to_pylist() for name in names)
            for repository, path, content in zip(repositories, paths, contents, strict=True):
                yield _text(repository), _text(path), content if isinstance(content, bytes) else _text(content).encode()
        if at >= last:
            return


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)
