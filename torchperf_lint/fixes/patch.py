"""The difference between two texts, as a patch that `git apply` takes."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_ESCAPES: Final = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", '"': '"', "\\": "\\"}
_NO_NEWLINE: Final = "\\ No newline at end of file\n"


def diff(old: str, new: str, path: str) -> str:
    """A unified patch from one text to the other; empty where they are equal.

    Lines end at `\\n` alone, as they do for git: a `\\r` before it belongs to the line.
    """
    lines = difflib.unified_diff(_lines(old), _lines(new), _name("a", path), _name("b", path))
    return "".join(_ended(lines))


def _lines(text: str) -> list[str]:
    *whole, rest = text.split("\n")
    return [f"{line}\n" for line in whole] + ([rest] if rest else [])


def _ended(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line
        if not line.endswith("\n"):
            yield "\n" + _NO_NEWLINE


def _name(side: str, path: str) -> str:
    """A path as git writes it: in quotes where it holds what would break the line, a tab after it for its blanks."""
    name = f"{side}/{path.lstrip('/')}"
    if any(character in _ESCAPES or not _is_plain(character) for character in name):
        return '"' + "".join(_escaped(character) for character in name) + '"'
    return f"{name}\t" if " " in name else name


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return "\\" + _ESCAPES[character]
    return character if _is_plain(character) else f"\\{ord(character) & 0xFF:03o}"


def _is_plain(character: str) -> bool:
    """Whether git writes a character as it is; a byte of a name that is no UTF-8 stands in it as half a surrogate pair."""
    return 32 <= ord(character) != 127 and not 0xD800 <= ord(character) <= 0xDFFF
