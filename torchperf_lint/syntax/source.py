"""A text with its path: lines, and places in it as people count them.

A line ends at `\\n`, `\\r\\n` or `\\r`, as it does for Python; form feeds and Unicode separators end none.
Knows nothing of trees.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

_LEVEL = re.compile(r"^[^\s#].*:[ \t]*(?:#.*)?(?:\r\n|\r|\n)([ \t]+)[^\s#]", re.MULTILINE)
_SINGLE = re.compile(r"'[^'\"\\\r\n]*'")
_DOUBLE = re.compile(r'(?<!")"[^\'"\\\r\n]+"(?!")')
_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A position: line and column count from 1, columns in Unicode code points."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of text; the end is exclusive."""

    start: Place
    end: Place


class SyntaxFault(Exception):  # noqa: N818
    """A text, or a stretch of it, that no parser of ours reads; says where and why."""

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(message)
        self.message = message
        self.place = place


class TooLargeFault(SyntaxFault):
    """A text, or what of it LibCST would have to see, that is longer than anybody would wait for."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"given up: {reason}, which no program that people write does", Place(1, 1))


@dataclass(frozen=True)
class Source:
    """One file as the linter sees it: decoded text, newlines as they are."""

    text: str
    path: str = "<stdin>"

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The offset at which each line begins."""
        return (0, *[match.end() for match in _LINE_END.finditer(self.text)])

    @cached_property
    def longest(self) -> int:
        """How many characters the longest line has."""
        return max(map(len, self.text.splitlines()), default=0)

    @cached_property
    def is_in_single_quotes(self) -> bool:
        """Whether more strings stand in single quotes than in double ones."""
        return len(_SINGLE.findall(self.text)) > len(_DOUBLE.findall(self.text))

    @cached_property
    def newline(self) -> str:
        """What the first line ends with."""
        found = _LINE_END.search(self.text)
        return found[0] if found else "\n"

    @cached_property
    def level(self) -> str:
        """How far the first block is indented."""
        found = _LEVEL.search(self.text)
        return found[1] if found else " " * 4

    def offset(self, place: Place) -> int:
        return self.starts[place.line - 1] + place.column - 1

    def place(self, offset: int) -> Place:
        line = bisect_right(self.starts, offset)
        return Place(line, offset - self.starts[line - 1] + 1)

    def extent(self, span: Span) -> tuple[int, int]:
        """A span as offsets."""
        return self.offset(span.start), self.offset(span.end)

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its end; empty past the last."""
        if not 1 <= number <= len(self.starts):
            return ""
        start = self.starts[number - 1]
        end = self.starts[number] if number < len(self.starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def column(self, line: int, utf8: int) -> int:
        """Where the byte `utf8` (from 0, as `ast` counts) of a line stands, in code points from 1."""
        text = self.line(line)
        if text.isascii():
            return utf8 + 1
        return len(text.encode()[:utf8].decode(errors="ignore")) + 1

    def cut(self, span: Span) -> str:
        start, end = self.extent(span)
        return self.text[start:end]
