"""How a run of measurements tells how far it is: on a terminal in one line that changes, else a line for each bench."""

from __future__ import annotations

import sys


class Telling:
    """Says what goes on, on the standard error."""

    def __init__(self, *, wanted: bool) -> None:
        self.wanted = wanted
        self.over_itself = sys.stderr.isatty()
        self.last_line = ""

    def __call__(self, text: str) -> None:
        if not self.wanted:
            return
        if self.over_itself:
            sys.stderr.write(f"\r\x1b[K{text}")
        elif "," not in text and text != self.last_line:  # stages of a bench would fill a log
            sys.stderr.write(f"{text}\n")
        self.last_line = text
        sys.stderr.flush()

    def clear(self) -> None:
        if self.last_line and self.over_itself:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        self.last_line = ""
