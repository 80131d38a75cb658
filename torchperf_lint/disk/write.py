"""Writing a file so that at every moment it is either the old one or the new one, whole.

The new bytes go into a file beside the old one, which then takes its place in one step. What the symbolic
link of a fixed file leads to is replaced, and the link stays; no other link is followed. Knows nothing of texts.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from torchperf_lint.disk.read import read_file

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_PLACE_BESIDE: Final = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY)
"""A file may be writable though its folder is not, or be mounted by itself: nothing can take its place then."""


class ChangedError(OSError):
    """The file is no longer what was read."""


def rewrite(path: Path, data: bytes, original: bytes) -> None:
    """Put `data` in the place of `original`; an `OSError` leaves the file as it is.

    Raises `ChangedError` where the file no longer holds `original`: somebody else has written it meanwhile.
    """
    target = Path(os.path.realpath(path, strict=True))
    status = target.stat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError("it is no regular file")
    if status.st_nlink > 1:
        raise OSError("it has other names (hard links), which would not change with it")
    if not os.access(target, os.W_OK):
        raise PermissionError("it may not be written")

    def ready(draft: Path) -> None:
        _take_over(draft, status)
        if read_file(target) != original:
            raise ChangedError("it has changed since it was read")

    _replaced(target, data, ready, 0o600, lasting=True)
    _sync_folder(target.parent)


def put(path: Path, data: bytes) -> None:
    """Make a file hold some bytes, new or in the place of what it held."""
    status = path.stat() if path.exists() and not path.is_symlink() else None

    def ready(draft: Path) -> None:
        if status is not None:
            _take_over(draft, status)

    _replaced(path, data, ready, 0o666, lasting=False)


def output(path: Path, data: bytes) -> None:
    """Write where the command line says: into a device or a pipe, else a whole file."""
    try:
        if is_device(path) or (path.exists() and not path.is_file()):
            _into(path, data)
        else:
            put(path, data)
    except OSError as error:
        if error.errno not in _NO_PLACE_BESIDE or not path.is_file():
            raise
        _into(path, data)


def is_device(path: Path) -> bool:
    """Whether a path is one of the system's names for open files and devices, links most of them: `/dev/stdout`."""
    return path.parts[1:2] in (("dev",), ("proc",))


def create(path: Path, data: bytes) -> None:
    """Write a file that is not there yet; `FileExistsError` where anything is, a link too."""
    _created(path, data, 0o666, lasting=False)


def _into(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_TRUNC | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if hasattr(os, "set_blocking"):
        os.set_blocking(handle, True)  # it did not block only so that a pipe that nobody reads is an error
    with open(handle, "wb") as file:  # noqa: PTH123 - it is a handle
        file.write(data)


def _replaced(target: Path, data: bytes, ready: Callable[[Path], None], mode: int, *, lasting: bool) -> None:
    """Put new bytes in the place of a file, once the draft of them is made ready."""
    draft = target.with_name(f".{target.name[:100]}.{os.getpid()}-{threading.get_ident()}.tmp")
    _created(draft, data, mode, lasting=lasting)
    try:
        ready(draft)
        draft.replace(target)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def _created(path: Path, data: bytes, mode: int, *, lasting: bool) -> None:
    """A new file, which a machine that stops right after does not lose where it is to be `lasting`."""
    handle = os.open(path, _NEW, mode)
    try:
        with open(handle, "wb") as file:  # noqa: PTH123
            file.write(data)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise


def _take_over(name: Path, status: os.stat_result) -> None:
    """Give a new file the mode of the old one, and its owner where that is allowed."""
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(name, status.st_uid, status.st_gid)
    name.chmod(stat.S_IMODE(status.st_mode))


def _sync_folder(folder: Path) -> None:
    """Make the new name last, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def appended(path: Path) -> Iterator[BinaryIO]:
    """A file of ours that others write into, at its end."""
    with open(path, "ab") as stream:  # noqa: PTH123
        yield stream


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold a file that says that what lies beside it is in use; raises `BlockingIOError` where another process does.

    The system lets go of it however the process ends.
    """
    descriptor = os.open(
        path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0), 0o600
    )
    try:
        if sys.platform != "win32":
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)
