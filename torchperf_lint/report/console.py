"""Where words go: findings to the standard output, everything else to the standard error.

Knows streams, colour and encodings; what it prints is made elsewhere.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from typing import Final, Literal, TextIO

import click

from torchperf_lint.report.terminal import Ink, Pen, quoted

When = Literal["auto", "always", "never"]
NARROWEST: Final = 40
WIDE: Final = 160
"""Columns of what is no terminal."""
WIDEST: Final = 110
"""Columns: lines that are longer are hard to read."""


@dataclass(frozen=True, slots=True)
class Console:
    """The two streams of a run."""

    color: When = "auto"
    quiet: bool = False
    findings_to: TextIO | None = None
    """Where findings go instead, when the standard output is for something else."""

    @property
    def findings(self) -> TextIO:
        return self.findings_to or sys.stdout

    def colored(self, stream: TextIO) -> bool:
        """Whether a stream is to have colour: a terminal that wants it, or what was asked for."""
        if self.color != "auto":
            return self.color == "always"
        if os.environ.get("NO_COLOR"):
            return False
        if os.environ.get("FORCE_COLOR"):
            return True
        return stream.isatty() and os.environ.get("TERM") != "dumb"

    @property
    def width(self) -> int:
        """How wide the terminal is that findings go to."""
        return shutil.get_terminal_size((WIDE, 24)).columns if self.findings.isatty() else WIDE

    @property
    def columns(self) -> int:
        """How wide text for people may be."""
        return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns))

    def out(self, text: str) -> None:
        """A report, as it is."""
        _write(self.findings, text)

    def raw(self, text: str) -> None:
        """A text whose bytes matter, whatever encoding the stream has: a patch."""
        binary = getattr(self.findings, "buffer", None)
        if binary is None:
            self.out(text)
            return
        self.findings.flush()
        binary.write(text.encode("utf-8", "surrogateescape"))
        binary.flush()

    def note(self, text: str) -> None:
        """Something worth knowing, unless quiet was asked for."""
        if not self.quiet:
            self._say("", text, Ink.BOLD)

    def warn(self, text: str) -> None:
        if not self.quiet:
            self._say("warning: ", text, Ink.WARNING)

    def error(self, text: str) -> None:
        self._say("error: ", text, Ink.ERROR)

    def _say(self, label: str, text: str, ink: Ink) -> None:
        sys.stdout.flush()
        pen = Pen(self.colored(sys.stderr))
        _write(sys.stderr, f"{pen(label, ink)}{quoted(text)}\n")


def _write(stream: TextIO, text: str) -> None:
    """Text to a stream, whatever its encoding can hold; old consoles of Windows are given colours in their own way."""
    encoding = stream.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("…", "...").encode(encoding, "backslashreplace").decode(encoding)
    if sys.platform == "win32" and stream.isatty():
        click.echo(text, file=stream, nl=False, color=True)
    else:
        stream.write(text)
