"""A text with edits applied, and where the places of the old text are in the new one.

The stretches of both texts that edits stand for are in order and overlap nowhere, so each is found by halving.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torchperf_lint.model.finding import TextEdit
    from torchperf_lint.syntax.source import Source


@dataclass(frozen=True, slots=True)
class _Piece:
    """What one edit did: a stretch of the old text, and the stretch of the new one that took its place."""

    start: int
    end: int
    new_start: int
    new_end: int


@dataclass(slots=True)
class Splice:
    """A text and edits of it that do not overlap."""

    source: Source
    edits: Sequence[TextEdit]
    text: str = field(init=False)
    pieces: list[_Piece] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        parts: list[str] = []
        old = new = 0
        extents = sorted(
            ((*self.source.extent(edit.span), edit.content) for edit in self.edits), key=lambda each: each[:2]
        )
        for start, end, content in extents:
            kept = self.source.text[old:start]
            new += len(kept)
            self.pieces.append(_Piece(start, end, new, new + len(content)))
            parts += [kept, content]
            old, new = end, new + len(content)
        self.text = "".join([*parts, self.source.text[old:]])

    def image(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the old text is; one that ends inside of an edit is taken to hold all that was written."""
        return self._start(start), self._end(end)

    def _start(self, offset: int) -> int:
        at = bisect_right(self.pieces, offset, key=_end)
        if at < len(self.pieces) and self.pieces[at].start <= offset:
            return self.pieces[at].new_start
        return offset + self._moved(at)

    def _end(self, offset: int) -> int:
        at = bisect_left(self.pieces, offset, key=_end)
        while at < len(self.pieces) and self.pieces[at].end == offset and self.pieces[at].start < offset:
            at += 1  # what was put in here comes behind
        if at < len(self.pieces) and self.pieces[at].start < offset:
            return self.pieces[at].new_end
        return offset + self._moved(at)

    def _moved(self, at: int) -> int:
        """How far the text between a piece and the one before it has moved."""
        return self.pieces[at - 1].new_end - self.pieces[at - 1].end if at else 0

    def rewrote(self, start: int, end: int) -> bool:
        """Whether an edit has replaced something of a stretch of the old text."""
        at = bisect_right(self.pieces, start, key=_end)
        return at < len(self.pieces) and self.pieces[at].start < end

    def wrote_in(self, start: int, end: int) -> bool:
        """Whether an edit has written, or left out, something within a stretch of the new text."""
        at = bisect_right(self.pieces, start, key=_new_end)
        return at < len(self.pieces) and self.pieces[at].new_start < end


def _end(piece: _Piece) -> int:
    return piece.end


def _new_end(piece: _Piece) -> int:
    return piece.new_end
