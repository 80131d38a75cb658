"""`--watch`: check again whenever a file changes, until Ctrl-C."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from torchperf_lint.model.exit_codes import BROKEN
from torchperf_lint.model.failure import ConfigError

if TYPE_CHECKING:
    from torchperf_lint.report.console import Console

PAUSE: Final = 0.4
"""Seconds between two looks: an editor that saves is answered at once, and nobody hears the fan."""
CLEAR: Final = "\x1b[2J\x1b[3J\x1b[H"

State = dict[str, tuple[int, int]]


def watch(check: Callable[[], int], files: Callable[[], Iterable[str]], console: Console) -> int:
    """Check, and check again after each change; ends with Ctrl-C alone."""
    gc.enable()
    while True:
        before = state(files)
        if console.findings.isatty():
            console.out(CLEAR)
        try:
            code = check()
        except ConfigError as wrong:  # settings are being written
            console.error(str(wrong))
            code = BROKEN
        console.findings.flush()
        console.note(f"Exit code {code}. Watching {len(before):,} files; Ctrl-C ends it.")
        while state(files) == before:
            time.sleep(PAUSE)


def state(files: Callable[[], Iterable[str]]) -> State:
    """When files were written last, and their sizes; what is gone is left out."""
    found: State = {}
    try:
        named = files()
    except ConfigError:
        return found
    for path in named:
        try:
            status = os.stat(path)  # noqa: PTH116
        except OSError:
            continue
        found[path] = (status.st_mtime_ns, status.st_size)
    return found
