"""One pattern as `.gitignore` writes it -> the steps of a machine that never goes back.

A machine is in some of its states at once. Reading a byte takes it from state `i` to `i + 1` where `steps[i]` holds that
byte, and lets it stay where the state has a loop: `*` is a loop over all but slashes, `**` one over all bytes. `**/` may
also be nothing: from a state in `skips` the machine is in the next two without reading anything.

    a/**/*.py    states 0 1 2 3 4 5 6 7 8
    steps        a / - / . p y          (from 2 to 3 without reading; 2 is in `skips`, so 4 is reached as well)
    loops        3: all bytes, 4: all but slashes

What is a wildcard, and what it means, is what git's `wildmatch.c` and `dir.c` say. Bytes, not letters, are matched, as
git does it.
"""

from __future__ import annotations

import re
import string
from dataclasses import dataclass, field
from typing import Final

SLASH: Final = ord("/")
_ALL: Final = frozenset(range(256)) - {SLASH}
_SPECIAL: Final = re.compile(rb"[*?\[\\]")


def _made_of(letters: str) -> frozenset[int]:
    return frozenset(letters.encode("ascii"))


_NAMED: Final = {
    b"alnum": _made_of(string.ascii_letters + string.digits),
    b"alpha": _made_of(string.ascii_letters),
    b"blank": _made_of(" \t"),
    b"cntrl": frozenset({*range(32), 127}),
    b"digit": _made_of(string.digits),
    b"graph": frozenset(range(33, 127)),
    b"lower": _made_of(string.ascii_lowercase),
    b"print": frozenset(range(32, 127)),
    b"punct": _made_of(string.punctuation),
    b"space": _made_of(" \t\n\r\v\f"),
    b"upper": _made_of(string.ascii_uppercase),
    b"xdigit": _made_of(string.hexdigits),
}
"""The classes of POSIX, as in `[[:digit:]]`."""


class _NothingError(Exception):
    """No path can match."""


@dataclass(slots=True)
class Glob:
    """A pattern that can match something."""

    negated: bool
    """It takes back in what an earlier one leaves out."""
    folders: bool
    """It speaks of folders alone."""
    names: bool
    """It is about names, in whatever folder, and not about paths."""
    literal: bytes | None = None
    """What it matches, where that is one text; it has no steps then."""
    steps: list[frozenset[int]] = field(default_factory=list)
    within: set[int] = field(default_factory=set)
    """States with a loop over all but slashes."""
    across: set[int] = field(default_factory=set)
    """States with a loop over all bytes."""
    skips: set[int] = field(default_factory=set)
    backwards: bool = False
    """It has a range such as `z-a`: git reads it, who wrote it meant something else."""


def parsed(line: str) -> Glob | None:
    """The pattern that a line holds; None where it holds none, or one that nothing matches."""
    text = as_bytes(line)
    if text.startswith(b"#"):
        return None
    text = _without_trailing_spaces(text)
    negated = text.startswith(b"!")
    text = text[negated:]
    folders = text.endswith(b"/")
    text = text[: len(text) - folders]
    glob = Glob(negated, folders, names=b"/" not in text)
    text = text.removeprefix(b"/")
    if not text:
        return None
    if not _SPECIAL.search(text):
        glob.literal = text
        return glob
    try:
        _read(glob, text)
    except _NothingError:
        return None
    return glob


def as_bytes(text: str) -> bytes:
    """A text as the bytes that a name on the disk has."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def _without_trailing_spaces(text: bytes) -> bytes:
    """A text without the blanks at its end, but for one behind a backslash."""
    if not text.endswith(b" "):
        return text
    end = len(text.rstrip(b" "))
    backslashes = end - len(text[:end].rstrip(b"\\"))
    return text[: end + backslashes % 2]


def _read(glob: Glob, text: bytes) -> None:
    at, steps = 0, glob.steps
    while at < len(text):
        byte = text[at : at + 1]
        if byte == b"*":
            at = _stars(glob, text, at)
        elif byte == b"[":
            bytes_, at = _class(glob, text, at)
            steps.append(bytes_)
        elif byte == b"\\":
            if at + 1 == len(text):
                raise _NothingError
            steps.append(frozenset({text[at + 1]}))
            at += 2
        else:
            steps.append(_ALL if byte == b"?" else frozenset(byte))
            at += 1


def _stars(glob: Glob, text: bytes, start: int) -> int:
    """Read stars; `**` alone between slashes goes across folders. The answer is where they end."""
    end = start
    while text[end : end + 1] == b"*":
        end += 1
    state = len(glob.steps)
    alone = end - start > 1 and not glob.names and text[max(start - 1, 0) : start] in (b"", b"/")
    rest = text[end:]
    if alone and rest.startswith(b"/"):
        if state - 2 not in glob.skips:  # `**/**/` is `**/`
            glob.skips.add(state)
            glob.across.add(state + 1)
            glob.steps += (frozenset(), frozenset({SLASH}))
        return end + 1
    if alone and (not rest or rest.startswith(b"\\/")):
        glob.across.add(state)
    else:
        glob.within.add(state)
    return end


def _class(glob: Glob, text: bytes, start: int) -> tuple[frozenset[int], int]:
    """The bytes that `[...]` stands for, and where it ends."""
    at = start + 1
    negated = text[at : at + 1] in (b"!", b"^")
    at += negated
    found: set[int] = set()
    first, last = at, None
    while text[at : at + 1] != b"]" or at == first:
        named = _named(text, at)
        if named is not None:
            found |= _NAMED.get(named) or _nothing()
            at, last = at + len(named) + 4, None
            continue
        is_range = text[at : at + 1] == b"-" and last is not None and text[at + 1 : at + 2] not in (b"", b"]")
        byte, at = _byte(text, at + is_range)
        found |= set(range(last or 0, byte + 1)) if is_range else {byte}
        glob.backwards |= is_range and byte < (last or 0)
        last = None if is_range else byte
    bytes_ = _ALL - found if negated else frozenset(found) - {SLASH}
    return bytes_ or _nothing(), at + 1


def _named(text: bytes, at: int) -> bytes | None:
    """The name in `[:name:]`; None where something else stands."""
    if text[at : at + 2] != b"[:":
        return None
    end = text.find(b"]", at + 2)
    if end < 0:
        raise _NothingError
    inside = text[at + 2 : end]
    return inside[:-1] if inside.endswith(b":") else None


def _byte(text: bytes, at: int) -> tuple[int, int]:
    """A byte of a class, which a backslash may stand before, and where the next one is."""
    at += text[at : at + 1] == b"\\"
    if at >= len(text):
        raise _NothingError
    return text[at], at + 1


def _nothing() -> frozenset[int]:
    raise _NothingError
