"""Temporary folders for what is unpacked: each is held by a lock that dies with its process, and what nobody holds is swept."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from torchperf_lint.disk.remove import remove_folder
from torchperf_lint.disk.write import held

PREFIX: Final = "torchperf-lint-fleet-"
HOLD: Final = ".held"
NEW: Final = 60
"""Seconds in which a folder is held after it was made, at the latest."""


@contextmanager
def folder() -> Iterator[Path]:
    """A folder that is empty, and gone afterwards."""
    with tempfile.TemporaryDirectory(prefix=PREFIX) as name:
        top = Path(name).resolve()
        with held(top / HOLD):
            inside = top / "unit"
            inside.mkdir()
            yield inside


def sweep() -> None:
    """Remove the folders of processes that were killed: ours, and held by nobody."""
    if sys.platform == "win32":  # nothing is held there
        return
    for each in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            status = each.lstat()
            is_ours = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
            if is_ours and time.time() - status.st_mtime > NEW and (each / HOLD).is_file():
                with held(each / HOLD):
                    remove_folder(each)
