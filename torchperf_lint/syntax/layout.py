"""Moving stretches of code to the left and to the right, without touching what stands in strings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from torchperf_lint.syntax.scan import Kind, scan

if TYPE_CHECKING:
    from collections.abc import Callable

_BLANKS: Final = re.compile(r"[ \t\f]*")


def dedent(text: str, width: int) -> str:
    """A text whose lines after the first lose up to so many blanks."""
    return _move(text, lambda blanks: blanks[min(width, len(blanks)) :])


def indent(text: str, by: str, level: str = " " * 4) -> str:
    """A text whose lines after the first are moved to the right, four blanks of it becoming a level; no empty ones."""
    return _move(text, lambda blanks: by + level * (len(blanks) // 4) + " " * (len(blanks) % 4))


def as_written_at_the_margin(text: str, width: int, level: str) -> str:
    """Code from within a file as if its statement stood at the margin, with four blanks for each level inside of it."""
    return _move(text, lambda blanks: _in_levels_of_four(blanks[min(width, len(blanks)) :], level))


def _in_levels_of_four(blanks: str, level: str) -> str:
    levels = 0
    while blanks.startswith(level):
        levels, blanks = levels + 1, blanks[len(level) :]
    return " " * (4 * levels) + blanks


def _move(text: str, moved: Callable[[str], str]) -> str:
    parts, position = [], 0
    for kind, _, end in scan(text):
        if kind not in (Kind.LINE, Kind.JOIN):
            continue
        blanks = _BLANKS.match(text, end)
        assert blanks is not None
        parts.append(text[position:end])
        position = blanks.end()
        if position < len(text) and text[position] not in "\r\n":
            parts.append(moved(blanks[0]))
    return "".join([*parts, text[position:]])
