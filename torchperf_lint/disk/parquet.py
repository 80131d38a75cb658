"""Parquet files: data sets of other people that are read, and tables of ours.

pyarrow, and fsspec for names with `://`, come with the extra `fleet`, and are imported by who needs them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from torchperf_lint.disk.read import UnfitFileError, stream

LARGEST: Final = 10**15
"""Bytes of a data set's file: its parts are read, never the whole."""
ENDINGS: Final = (".parquet", ".parq")


def is_url(name: str) -> bool:
    return "://" in name


def files_of(name: str) -> list[str]:
    """The Parquet files that a name stands for: itself, those in a folder, those that a pattern or a URL matches."""
    if is_url(name):
        system, path = _system(name)
        found = (
            [path] if path.endswith(ENDINGS) and "*" not in path else system.glob(path if "*" in path else f"{path}/**")
        )
        return sorted(str(system.unstrip_protocol(each)) for each in found if str(each).endswith(ENDINGS))
    here = Path(name)
    if "*" in name:
        return sorted(map(str, Path(here.anchor).glob(str(here.relative_to(here.anchor)))))
    return sorted(str(each) for ending in ENDINGS for each in here.glob(f"*{ending}")) if here.is_dir() else [name]


@contextmanager
def parquet_file(name: str) -> Iterator[Any]:
    """A Parquet file, to read parts of."""
    import pyarrow
    import pyarrow.parquet

    try:
        if is_url(name):
            system, path = _system(name)
            with system.open(path, "rb") as file:
                yield pyarrow.parquet.ParquetFile(file)
        else:
            with stream(name, LARGEST) as file:
                yield pyarrow.parquet.ParquetFile(file)
    except pyarrow.ArrowException as error:
        raise UnfitFileError(f"not a Parquet file that can be read: {str(error)[:200]}") from None


def table_bytes(rows: Sequence[dict[str, Any]], schema: Any) -> bytes:
    """Rows as the bytes of a Parquet file: the same rows give the same bytes."""
    import pyarrow
    import pyarrow.parquet

    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows), schema=schema), sink, compression="zstd")
    return bytes(sink.getvalue())


def _system(url: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ModuleNotFoundError:
        raise UnfitFileError("to read this needs fsspec: pip install 'torchperf-lint[fleet]'") from None
    try:
        system, path = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise UnfitFileError(str(error)[:200]) from None
    return system, str(path)
