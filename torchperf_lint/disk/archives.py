"""The files in an archive that anybody may have made: read one by one, with bounds, and put nowhere.

Where the files come to lie, and whether under the names that the archive gives them, is for the caller.
"""

from __future__ import annotations

import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

from torchperf_lint.disk.read import UnfitFileError, stream

ZIPS: Final = (".whl", ".zip")
TARS: Final = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
LARGEST: Final = 2_000_000_000
"""Bytes of an archive that is read."""

Content = bytes | str
"""What is in a file, or in words why that is not read."""


def is_archive(path: Path) -> bool:
    """Whether a file is called as archives are."""
    return path.name.lower().endswith((*ZIPS, *TARS))


def contents(path: Path, wanted: Callable[[str], bool], largest: int) -> Iterator[tuple[str, Content]]:
    """The wanted regular files of an archive, by the name that stands in it, none of more than so many bytes.

    An `OSError` where the archive cannot be read, be it in the middle.
    """
    with stream(path, LARGEST) as file:
        found = _of_zip(file, wanted, largest) if path.name.lower().endswith(ZIPS) else _of_tar(file, wanted, largest)
        try:
            yield from found
        except (OSError, MemoryError):
            raise
        except Exception as error:  # the many ways in which the libraries say that it is damaged, or locked
            raise UnfitFileError(f"the archive cannot be read: {str(error)[:200] or type(error).__name__}") from None


def _of_zip(file: BinaryIO, wanted: Callable[[str], bool], largest: int) -> Iterator[tuple[str, Content]]:
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            kind = stat.S_IFMT(info.external_attr >> 16)
            if info.is_dir() or kind not in (0, stat.S_IFREG) or not wanted(info.filename):
                continue
            with archive.open(info) as member:
                yield info.filename, _bounded(member.read(largest + 1), largest)


def _of_tar(file: BinaryIO, wanted: Callable[[str], bool], largest: int) -> Iterator[tuple[str, Content]]:
    with tarfile.open(fileobj=file, mode="r:*") as archive:
        for info in archive:
            member = archive.extractfile(info) if info.isreg() and wanted(info.name) else None
            if member is not None:
                yield info.name, _bounded(member.read(largest + 1), largest)


def _bounded(data: bytes, largest: int) -> Content:
    return data if len(data) <= largest else f"larger than {largest:,} bytes"
