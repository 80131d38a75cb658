"""Reading a file that anybody may have written or put a link, a pipe or a device in the place of.

What is read is a regular file, of no more than a size that says how much is worth reading; the rest is an `OSError`
with a reason in words, and nothing waits for it. Everything that this tool reads is read here.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

LARGEST: Final = 50_000_000
"""Bytes of a file that is linted or named: more than any program or notebook has, less than any memory."""
_FLAGS: Final = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_BINARY", "O_NOCTTY", "O_CLOEXEC"))


class UnfitFileError(OSError):
    """Something that is no file of a size to be read."""

    def __init__(self, said: str) -> None:
        super().__init__(errno.EINVAL, said)


def read_file(path: str | Path, largest: int = LARGEST) -> bytes:
    """The bytes of a regular file; an `OSError` for anything else."""
    _check(os.stat(path), largest)  # noqa: PTH116 - before it is opened: to open a device can do something by itself
    handle = os.open(path, _FLAGS)
    try:
        status = os.fstat(handle)
        _check(status, largest)
        data = _read(handle, status.st_size + 1)  # room for `largest` would be set aside first, 50 MB for a small file
        if len(data) > status.st_size:  # it has grown
            data += _read(handle, largest + 1 - len(data))
    finally:
        os.close(handle)
    if len(data) > largest:
        raise UnfitFileError(_too_large(largest))
    return data


def _read(handle: int, most: int) -> bytes:
    """So many bytes, or those that there are; a run reads thousands of files, and a file object takes twice as long to make."""
    parts: list[bytes] = []
    while most > 0 and (part := os.read(handle, most)):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


@contextmanager
def stream(path: str | Path, largest: int) -> Iterator[BinaryIO]:
    """A regular file, for who reads it piece by piece; an `OSError` for anything else."""
    _check(os.stat(path), largest)  # noqa: PTH116 - before it is opened: to open a device can do something by itself
    handle = os.open(path, _FLAGS)
    with open(handle, "rb") as file:  # noqa: PTH123
        _check(os.fstat(handle), largest)
        yield file


def _check(status: os.stat_result, largest: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise UnfitFileError("not a regular file")
    if status.st_size > largest:
        raise UnfitFileError(_too_large(largest))


def _too_large(largest: int) -> str:
    return f"larger than {largest:,} bytes"
