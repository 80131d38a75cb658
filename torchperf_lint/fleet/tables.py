"""The tables of a scan: their columns, which are a contract, and how a unit's rows are put in their place.

A unit's tables are a folder that appears in one step: a reader sees all of it or nothing, a second attempt finds it there
and leaves it. `fleet.md` describes the columns; a test holds that page to this file. pyarrow is imported by who writes.
"""

from __future__ import annotations

import errno
import os
import platform
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from torchperf_lint.disk.parquet import table_bytes
from torchperf_lint.disk.write import create

VERSION: Final = 1
"""Of the columns; a change that readers notice makes it the next."""
UNITS: Final = "units"
DRAFTS: Final = "drafts"
EMPTY: Final = "empty"
"""The folder of a unit that found nothing, so that each table is there from the beginning."""

Row = dict[str, Any]
Rows = Mapping[str, Sequence[Row]]
"""The rows of a unit, by table."""

COLUMNS: Final = {
    "findings": {
        "unit": "string", "repository": "string", "revision": "string", "path": "string", "cell": "int32",
        "line": "int32", "column": "int32", "end_line": "int32", "end_column": "int32",
        "code": "string", "name": "string", "severity": "string", "confidence": "string", "message": "string",
        "fingerprint": "string", "fix": "string", "fix_title": "string",
        "metric": "string", "low": "double", "high": "double", "setting": "string",
        "because": "notes", "also": "spots",
    },
    "files": {
        "unit": "string", "repository": "string", "revision": "string", "path": "string", "bytes": "int64",
        "lines": "int64", "torch": "bool", "findings": "int32", "content": "string",
    },
    "errors": {
        "unit": "string", "repository": "string", "revision": "string", "path": "string", "kind": "string",
        "message": "string",
    },
    "timings": {
        "unit": "string", "repository": "string", "seconds": "double", "cpu": "double", "memory": "int64",
        "host": "string", "ended": "double",
    },
}  # fmt: skip
"""Each table's columns with their types; `notes` and `spots` are lists of places."""

EMPTY_AT_TIMES: Final = ("path", "cell", "fix")
"""Columns of which a report may find nothing in a row."""
WORDS: Final = {
    "code": re.compile(r"TPL\d{3}"),
    "name": re.compile(r"[a-z0-9-]+"),
    "severity": re.compile("error|warning|info"),
    "kind": re.compile("[a-z]+"),
}
"""Columns that hold words of our own, and no text of a repository: reports show them as they are."""


def schema(table: str) -> Any:
    """The schema of a table, as pyarrow has it; its metadata says which table of which version it is."""
    import pyarrow

    spot = [(name, pyarrow.type_for_alias(kind)) for name, kind in (("path", "string"), ("cell", "int32"))]
    spot += [(name, pyarrow.int32()) for name in ("line", "column")]
    kinds = {
        "spots": pyarrow.list_(pyarrow.struct(spot)),
        "notes": pyarrow.list_(pyarrow.struct([("message", pyarrow.string()), *spot])),
    }
    fields = [(name, kinds.get(kind) or pyarrow.type_for_alias(kind)) for name, kind in COLUMNS[table].items()]
    return pyarrow.schema(fields, metadata={"torchperf-lint": table, "version": str(VERSION)})


def prepare(out: Path) -> None:
    """Make the folders of a scan, and the unit that found nothing."""
    for name in (UNITS, DRAFTS):
        (out / name).mkdir(parents=True, exist_ok=True)
    write(out, EMPTY, {table: [] for table in COLUMNS}, with_empty=True)


def write(out: Path, key: str, rows: Rows, *, with_empty: bool = False) -> None:
    """Put the rows of a unit in their place, all at once; where they are already, they stay as they are."""
    draft = out / DRAFTS / f"{key}.{platform.node()}.{os.getpid()}"
    written: list[Path] = []
    try:
        draft.mkdir()
        for table in COLUMNS:
            if rows.get(table) or with_empty:
                written.append(draft / f"{table}.parquet")
                create(written[-1], table_bytes([_plain(row) for row in rows.get(table, ())], schema(table)))
        try:
            draft.rename(out / UNITS / key)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
            discard(draft)
    except BaseException:
        discard(draft)
        raise


def discard(draft: Path) -> None:
    """Remove what there is of a draft: the files that we write, and nothing else."""
    for table in COLUMNS:
        with suppress(OSError):
            (draft / f"{table}.parquet").unlink()
    with suppress(OSError):
        draft.rmdir()


def sweep(out: Path) -> None:
    """Remove the drafts of runs and workers that have ended in the middle."""
    for draft in (out / DRAFTS).iterdir():
        ours = draft.with_name(f"{draft.name}.swept")
        with suppress(OSError):
            draft.rename(ours)  # so that a writer which lives after all cannot make a unit of what is left
            discard(ours)


def done(out: Path) -> set[str]:
    """The keys of the units that are there."""
    return {each.name for each in (out / UNITS).iterdir()} if (out / UNITS).is_dir() else set()


def files(out: Path, table: str) -> list[str]:
    """The files of a table, in a stable order."""
    found = ((out / UNITS / key / f"{table}.parquet") for key in sorted(done(out)))
    return [str(path) for path in found if path.is_file()]


def _plain(row: Row) -> Row:
    """A row whose texts are such that Parquet can hold them: names of files may be any bytes."""
    return {name: _text(value) for name, value in row.items()}


def _text(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value
