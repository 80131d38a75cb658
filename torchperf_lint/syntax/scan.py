"""The tokens that tell the shape of a text, in one linear pass that no input can stop.

Three parts of the linter must read a text without a parser: the guard, because the text may be what kills the parser;
the suppressions, because comments are in no tree that Python makes; and the fixes, because what they insert is not in
a tree yet. Strings are skipped, f-strings are entered the way Python 3.12 reads them (a replacement field is code,
with any quotes inside), and what ends nowhere ends with its line or with the text.

Knows nothing of trees; what is no Python gives tokens all the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator


class Kind(IntEnum):
    """What a token is."""

    COMMENT = 1
    STRING = 2
    """A whole string, or one stretch of the text of an f-string."""
    OPEN = 3
    CLOSE = 4
    COMMA = 5
    """`,` or `;`."""
    LINE = 6
    """The end of a line, but for those inside strings."""
    JOIN = 7
    """The end of a line with the backslash before it."""
    OTHER = 8
    """A word, a number, an operator."""


Token = tuple[Kind, int, int]
"""What it is, where it starts and where it ends, as offsets."""

_CODE: Final = re.compile(
    r"""[ \t\f]*(?:
      (\#[^\r\n]*)
    | ([rRbBuUfFtT]{0,2})(\"\"\"|'''|"|')
    | ([(\[{])
    | ([)\]}])
    | ([,;])
    | (\r\n|\r|\n)
    | (\\(?:\r\n|\r|\n))
    | (\w+|:=|\*\*|//|->|[<>=!]=|[^ \t\f])
    )""",
    re.VERBOSE,
)
_KINDS: Final = (
    Kind.OTHER, Kind.COMMENT, Kind.STRING, Kind.STRING, Kind.OPEN, Kind.CLOSE, Kind.COMMA, Kind.LINE, Kind.JOIN,
    Kind.OTHER,
)  # fmt: skip
"""The kind of each group of `_CODE`."""
_QUOTE: Final = 3
"""The group of `_CODE` that has matched last where a string begins."""

_ESCAPE: Final = r"\\(?:\r\n|[\s\S])"
_PLAIN: Final = {
    '"': re.compile(rf'[^"\\\r\n]*(?:{_ESCAPE}[^"\\\r\n]*)*"?'),
    "'": re.compile(rf"[^'\\\r\n]*(?:{_ESCAPE}[^'\\\r\n]*)*'?"),
    '"""': re.compile(rf'[^"\\]*(?:(?:{_ESCAPE}|"(?!""))[^"\\]*)*(?:""")?'),
    "'''": re.compile(rf"[^'\\]*(?:(?:{_ESCAPE}|'(?!''))[^'\\]*)*(?:''')?"),
}
"""What follows the opening quote of a string, its closing quote included."""


@dataclass(slots=True)
class _Field:
    """A replacement field that is open, and the quotes of the f-string that it stands in."""

    prefix: str
    quote: str
    brackets: int = 0
    """How many are open inside of it."""
    specification: bool = False
    """Whether its colon has come."""


@cache
def _stop(raw: bool, quote: str, specification: bool) -> re.Pattern[str]:
    """What a stretch of the text of an f-string is searched for: all that may end it, and escapes, that hide such."""
    named = "" if raw else r"\\N\{[^}\r\n]*\}|"
    doubled = "" if specification else r"\{\{|\}\}|"
    line = r"|[\r\n]" if len(quote) == 1 else ""
    return re.compile(rf"{named}{_ESCAPE}|{doubled}[{{}}]|{quote}{line}")


class _Scanner:
    """One pass over one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.fields: list[_Field] = []

    def tokens(self) -> Iterator[Token]:
        text, fields, code, kinds = self.text, self.fields, _CODE.match, _KINDS
        while (match := code(text, self.position)) is not None:
            group = match.lastindex or 0
            start, self.position = match.span(group)
            if group == _QUOTE:
                start, prefix, quote = match.start(2), match[2].lower(), match[3]
                if "f" in prefix or "t" in prefix:
                    yield from self._formatted(prefix, quote, start, specification=False)
                else:
                    rest = _PLAIN[quote].match(text, self.position)
                    assert rest is not None  # it matches the empty text too
                    self.position = rest.end()
                    yield Kind.STRING, start, self.position
            elif fields:
                yield from self._in_field(kinds[group], start)
            else:
                yield kinds[group], start, self.position

    def _in_field(self, kind: Kind, start: int) -> Iterator[Token]:
        """One token of the code in a replacement field."""
        field = self.fields[-1]
        if kind is Kind.OPEN:
            field.brackets += 1
        elif kind is Kind.CLOSE and field.brackets:
            field.brackets -= 1
        elif kind is Kind.CLOSE:
            yield kind, start, self.position
            yield from self._resume()
            return
        elif not field.brackets and self.text[start] == ":":
            field.specification, self.position = True, start + 1
            yield from self._formatted(field.prefix, field.quote, start, specification=True)
            return
        if kind is not Kind.LINE:
            yield kind, start, self.position

    def _resume(self) -> Iterator[Token]:
        """After the end of a field: the text that it interrupted."""
        done = self.fields.pop()
        inside = bool(self.fields) and self.fields[-1].specification
        yield from self._formatted(done.prefix, done.quote, self.position, specification=inside)

    def _formatted(self, prefix: str, quote: str, start: int, *, specification: bool) -> Iterator[Token]:
        """The text of an f-string from here to its end, or to its next replacement field."""
        while True:
            stop = _stop("r" in prefix, quote, specification)
            match = stop.search(self.text, self.position)
            found = "" if match is None else match[0]
            self.position = len(self.text) if match is None else match.end()
            if found == "{":
                if start < self.position - 1:
                    yield Kind.STRING, start, self.position - 1
                yield Kind.OPEN, self.position - 1, self.position
                self.fields.append(_Field(prefix, quote))
                return
            if found == "}" and specification:
                if start < self.position - 1:
                    yield Kind.STRING, start, self.position - 1
                yield Kind.CLOSE, self.position - 1, self.position
                self.fields.pop()
                start, specification = self.position, bool(self.fields) and self.fields[-1].specification
            elif found in ("", quote, "\r", "\n"):
                if specification:  # the string ends before its field: no Python
                    self.fields.pop()
                if start < self.position:
                    yield Kind.STRING, start, self.position
                return


def scan(text: str) -> Iterator[Token]:
    """The tokens of a text, in order."""
    return _Scanner(text).tokens()
