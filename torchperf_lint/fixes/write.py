"""Writing a file so that at every moment it is either the old one or the new one, whole.

The new bytes go into a file beside the old one, which then takes its place in one step. A symbolic link stays one:
the file that it leads to is written. Knows nothing of texts.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path


class ChangedError(OSError):
    """The file is no longer what was read."""


def write(path: Path, data: bytes, original: bytes) -> None:
    """Put `data` in the place of `original`; an `OSError` leaves the file as it is.

    Raises `ChangedError` where the file no longer holds `original`: somebody else has written it meanwhile.
    """
    target = Path(os.path.realpath(path, strict=True))
    status = target.stat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError("it is no regular file")
    if not os.access(target, os.W_OK):
        raise PermissionError("it may not be written")
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".tmp", dir=target.parent)
    try:
        with open(handle, "wb") as file:  # noqa: PTH123 - it is a handle
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _take_over(name, status)
        if target.read_bytes() != original:
            raise ChangedError("it has changed since it was read")
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    _sync_folder(target.parent)


def _take_over(name: str, status: os.stat_result) -> None:
    """Give a new file the mode of the old one, and its owner where that is allowed."""
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):
            os.chown(name, status.st_uid, status.st_gid)
    Path(name).chmod(stat.S_IMODE(status.st_mode))


def _sync_folder(folder: Path) -> None:
    """Make the new name last, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
