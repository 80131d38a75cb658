"""Text that is safe and straight on a terminal: no raw control characters, true widths, colour where it is wanted.

Linted files and their names come from anywhere: an escape sequence, a mark that turns the direction of text, or what the
log of a CI service takes for a command to it, must arrive as a picture of itself.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum
from typing import Final

TAB: Final = "    "
_PICTURES: Final = 0x2400
_DELETE: Final = 0x7F
_DIRECTION: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class Ink(Enum):
    """What a piece of text is, and so how it looks."""

    ERROR = "1;31"
    WARNING = "1;33"
    INFO = "1;34"
    BOLD = "1"
    DIM = "2"
    PLACE = "36"
    NOTE = "34"
    OLD = "31"
    NEW = "32"


@dataclass(frozen=True, slots=True)
class Pen:
    """Writes text in ink where there is colour, plainly where there is none."""

    color: bool

    def __call__(self, text: str, ink: Ink) -> str:
        return f"\x1b[{ink.value}m{text}\x1b[0m" if self.color and text else text

    def link(self, text: str, url: str) -> str:
        """Text that terminals which can do so open as a page."""
        return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\" if self.color else text


def visible(text: str) -> str:
    """A text without anything that a terminal, or the log of a CI service, acts on; a tab becomes spaces."""
    if not (text.isascii() and text.isprintable()):
        text = "".join(map(_visible, text))
    return text if _START not in text and _ANYWHERE not in text else _no_command(text)


_START: Final = "::"
"""GitHub takes a line that begins so for a command: `::error ::`, `::add-mask::`."""
_ANYWHERE: Final = "##"
"""GitHub, Azure and TeamCity find theirs anywhere: `##[add-path]`, `##vso[`, `##teamcity[`."""


def _no_command(text: str) -> str:
    first = len(text) - len(text.lstrip())
    if text.startswith(_START, first):
        text = f"{text[:first]}\uff1a{text[first + 1 :]}"
    return _COMMAND.sub("#\uff03", text)


_COMMAND: Final = re.compile(r"##(?=\[|\w+\[)")


def quoted(text: str) -> str:
    """A message as a terminal shows it. A further line of it may be a program's last word, or of a name that somebody made with a
    break in it: it must not look like a line of ours, nor like a command to whoever runs us in CI."""
    return "\n  | ".join(visible(line) for line in text.split("\n"))


def _visible(char: str) -> str:
    code = ord(char)
    if char == "\t":
        return TAB
    if code < ord(" "):
        return chr(_PICTURES + code)
    if code == _DELETE:
        return "\u2421"
    if 0xD800 <= code <= 0xDFFF:  # a byte of a file name that is no UTF-8
        return f"\\x{code & 0xFF:02x}"
    if char in _DIRECTION or unicodedata.category(char) in ("Cc", "Zl", "Zp"):
        return "\ufffd"
    return char


def width(text: str) -> int:
    """How many columns a visible text takes."""
    if text.isascii():
        return len(text)
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
