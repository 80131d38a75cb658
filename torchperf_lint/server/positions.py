"""Places of a text as editors count them: lines from 0, columns in UTF-16 code units, or in what was agreed on.

Lines end where they do for Python, which is where they do for the protocol. Knows nothing of documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from torchperf_lint.syntax.source import Place, Source

if TYPE_CHECKING:
    from torchperf_lint.syntax.source import Span

CODECS: Final = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
"""By what the protocol calls it, the encoding, and the bytes of a unit in it."""


class Positions:
    """The places of one text."""

    def __init__(self, source: Source, encoding: str = "utf-16") -> None:
        self.source = source
        self._codec, self._unit = CODECS[encoding]

    def position(self, place: Place) -> types.Position:
        line = self.source.line(place.line)[: place.column - 1]
        units = len(line) if line.isascii() else len(line.encode(self._codec, "surrogatepass")) // self._unit
        return types.Position(place.line - 1, units)

    def range(self, span: Span) -> types.Range:
        return types.Range(self.position(span.start), self.position(span.end))

    def place(self, position: types.Position) -> Place:
        """The place that an editor means; what lies behind the end of a line, or of the text, is that end."""
        number = min(position.line + 1, len(self.source.starts))
        line = self.source.line(number)
        if position.line >= len(self.source.starts):
            return Place(number, len(line) + 1)
        if line.isascii():
            return Place(number, min(position.character, len(line)) + 1)
        units = line.encode(self._codec, "surrogatepass")[: position.character * self._unit]
        return Place(number, len(units.decode(self._codec, "ignore")) + 1)

    def offset(self, position: types.Position) -> int:
        return self.source.offset(self.place(position))


def changed(text: str, change: types.TextDocumentContentChangeEvent, encoding: str) -> str:
    """A text after a change: of a stretch of it, or of all."""
    new: str = change.text
    if not isinstance(change, types.TextDocumentContentChangePartial):
        return new
    positions = Positions(Source(text), encoding)
    start, end = positions.offset(change.range.start), positions.offset(change.range.end)
    return text[:start] + new + text[end:]
