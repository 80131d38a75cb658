"""A bar on the terminal for runs that take their time; nothing at all for those that do not."""

from __future__ import annotations

import sys
import time
from typing import Final

PATIENCE: Final = 1.0
"""Seconds in which nobody wants to be told anything."""
_EVERY: Final = 0.1
_WIDTH: Final = 30


class Progress:
    """Draws how far a run is, over itself, until it is cleared."""

    def __init__(self, *, wanted: bool, what: str = "files") -> None:
        self.what = what
        self.wanted = wanted and sys.stderr.isatty()
        self.due = time.monotonic() + PATIENCE
        self.drawn = False

    def __call__(self, done: int, of: int) -> None:
        now = time.monotonic()
        if not self.wanted or now < self.due:
            return
        self.due = now + _EVERY
        self.drawn = True
        filled = _WIDTH * done // max(of, 1)
        sys.stderr.write(f"\r\x1b[2m[{'=' * filled}{' ' * (_WIDTH - filled)}]\x1b[0m {done} of {of} {self.what}")
        sys.stderr.flush()

    def clear(self) -> None:
        if self.drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self.drawn = False
