"""Names for the contents of files: one for all of it, and one for its code, by which an answer can hold though a file changed.

    x = 1                      has the code of
    # once                     this,
    x = 1  # and for all       at other places: who shows a place of a file stands on all of it

What Python or the linter reads in a comment is code: a type, a coding that is not UTF-8. Where a text may be told wrongly from
what stands around it, as an f-string with quotes in its braces, all of the file is.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from torchperf_lint.disk.read import read_file
from torchperf_lint.facts.project.imports import LARGEST
from torchperf_lint.syntax.digest import SIZE, digest

if TYPE_CHECKING:
    from pathlib import Path

_COMMENT: Final = rb"(?![ \t]*type:)[^\r\n]*"
_TOKEN: Final = re.compile(
    rb"\n(?P<line>[ \t\f]*(?:#" + _COMMENT + rb")?\r?(?=\n|\Z))"
    rb"|#(?P<comment>" + _COMMENT + rb")|#[^\r\n]*"
    rb'|"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""' rb"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"
    rb'|"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*"' rb"|'[^'\\\r\n]*(?:\\.[^'\\\r\n]*)*'"
    rb"|\"(?P<stray>)|'(?P<single>)",
    re.DOTALL,
)  # fmt: skip
"""A line that holds a comment or nothing, a comment behind code, one that counts, texts, and a quote that begins none of these.

Each begins with a letter of its own, and no group: so Python looks for these letters alone, which takes half the time."""
_FORMATTED: Final = b"fFtT"
_ESCAPED: Final = re.compile(rb"\{\{|\}\}")
_CODING: Final = re.compile(rb"coding[:=](?![ \t]*(?i:utf[-_]?8))[ \t]*[-\w.]")
_WHOLE: Final = 2 * SIZE
"""So many letters of a name are of all of a content."""


class Names:
    """Names for the contents of files: one for all of it, and behind that one for its code."""

    def __init__(self) -> None:
        self._last: dict[Path, str] = {}
        """The name of the last content of each file: files are read again, and the name for a code takes longer."""

    def of(self, path: Path, data: bytes) -> str:
        whole = digest([data])
        if not self._last.get(path, "").startswith(whole):
            self._last[path] = whole + digest([code_of(data)])
        return self._last[path]


def code_of(data: bytes) -> bytes:
    """A content without what nobody reads."""
    lines, kept, at = b"\n" + data, [], 0
    if any(b"#" in lines[lines.rfind(b"\n", 0, each.start()) : each.start()] for each in _CODING.finditer(lines)):
        return data
    for found in _TOKEN.finditer(lines):
        if found.lastgroup not in ("line", "comment"):
            if found.lastgroup or (_is_formatted(lines, found.start()) and _may_nest(found[0])):
                return data
            continue
        before = lines[at : found.start()].rstrip(b" \t\r")
        if not before.endswith(b"\\"):  # behind one, a line goes on
            kept.append(before if found.lastgroup == "comment" else lines[at : found.start()])
            at = found.end()
    return b"".join([*kept, lines[at:]])


def _is_formatted(lines: bytes, start: int) -> bool:
    """Whether a text is one that may hold expressions, by the letters before it."""
    return any(each in _FORMATTED for each in lines[max(start - 2, 0) : start])


def _may_nest(text: bytes) -> bool:
    """Whether an f-string may end later than at the first quote like its own: there, a brace is open."""
    said = _ESCAPED.sub(b"", text)
    return said.count(b"{") != said.count(b"}")


class Contents:
    """The contents that files have, as they are while this lives."""

    def __init__(self) -> None:
        self._whole = lru_cache(maxsize=None)(_digest)
        self._code = lru_cache(maxsize=None)(_code_digest)

    def name_of(self, path: str) -> str:
        """A name for the content of a file, as `Names` gives; empty where it cannot be read."""
        return f"{self._whole(path) or ''}{self._code(path) or ''}"

    def are(self, path: str, was: str | None, *, is_shown: bool) -> bool:
        """Whether a file has a content like one that it had, None where it could not be read; one of which places are shown is
        only like itself."""
        now = self._whole(path)
        if now is None or was is None:
            return now is was
        return was.startswith(now) or (not is_shown and was[_WHOLE:] == self._code(path))


def _digest(path: str) -> str | None:
    try:
        return digest([read_file(path, LARGEST)])
    except OSError:
        return None


def _code_digest(path: str) -> str | None:
    try:
        return digest([code_of(read_file(path, LARGEST))])
    except OSError:
        return None
