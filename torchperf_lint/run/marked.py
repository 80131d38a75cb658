"""Folders of the cache, known by a mark in them: what does not carry it is neither written to nor removed.

The mark is the file by which programs that keep copies know a cache (https://bford.info/cachedir), with our name in it.
"""

from __future__ import annotations

import os
import re
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from torchperf_lint.disk.read import read_file
from torchperf_lint.disk.write import create
from torchperf_lint.syntax.digest import SIZE

TAG: Final = "CACHEDIR.TAG"
MARK: Final = b"Signature: 8a477f597d28d172789f06886806bc55\n# Findings of unchanged files, kept by torchperf-lint.\n"
IGNORE: Final = ".gitignore"
KEPT: Final = 14 * 24 * 3600
"""Seconds after which a folder that no run has used since is removed."""
_FOLDER: Final = re.compile(rf"[0-9a-f]{{{2 * SIZE}}}(?:\.\d+-\d+)?")
_ENTRY: Final = re.compile(rf"\.?[0-9a-f]{{{2 * SIZE}}}\.json(?:\.\d+-\d+\.tmp)?")


def is_ours(folder: Path) -> bool:
    """Whether a folder carries the mark."""
    try:
        return not folder.is_symlink() and read_file(folder / TAG, len(MARK)) == MARK
    except OSError:
        return False


def used(folder: Path) -> None:
    """Note that one of our folders is in use; where it cannot be written, nobody removes it either."""
    with suppress(OSError):
        (folder / TAG).touch()


def make(folder: Path) -> None:
    """See to it that a folder is there and ours; an `OSError` where that cannot be. What is old goes on the way."""
    if is_ours(folder):
        return
    draft = folder.with_name(f"{folder.name}.{os.getpid()}-{threading.get_ident()}")
    draft.mkdir(mode=0o700, parents=True)
    for name, data in ((IGNORE, b"*\n"), (TAG, MARK)):
        create(draft / name, data)
    try:
        draft.rename(folder)
    except OSError:
        _remove(draft)
        if not is_ours(folder):  # somebody else's; if it is ours by now, another run was faster
            raise
    for other in folder.parent.iterdir():
        if other != folder and _FOLDER.fullmatch(other.name):
            with suppress(OSError):
                _remove_if_old(other)


def _remove_if_old(folder: Path) -> None:
    if is_ours(folder) and time.time() - (folder / TAG).stat().st_mtime > KEPT:
        _remove(folder)


def _remove(folder: Path) -> None:
    """Remove what we have put into a folder, and the folder with its mark if nothing else is in it."""
    names = {each.name for each in folder.iterdir()}
    entries = {name for name in names if _ENTRY.fullmatch(name)}
    for name in entries:
        (folder / name).unlink()
    if names - entries <= {TAG, IGNORE}:
        for name in (IGNORE, TAG):
            (folder / name).unlink(missing_ok=True)
        folder.rmdir()
