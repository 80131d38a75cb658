"""A text with edits applied, and where the places of the old text are in the new one."""

from __future__ import annotations

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
        moved = 0
        for piece in self.pieces:
            if piece.end <= offset:
                moved = piece.new_end - piece.end
            elif piece.start <= offset:
                return piece.new_start
        return offset + moved

    def _end(self, offset: int) -> int:
        moved = 0
        for piece in self.pieces:
            if piece.end < offset or piece.start < piece.end == offset:
                moved = piece.new_end - piece.end
            elif piece.start < offset:
                return piece.new_end
        return offset + moved

    def rewrote(self, start: int, end: int) -> bool:
        """Whether an edit has replaced something of a stretch of the old text."""
        return any(piece.start < end and start < piece.end for piece in self.pieces)

    def wrote_in(self, start: int, end: int) -> bool:
        """Whether an edit has written, or left out, something within a stretch of the new text."""
        return any(
            start < piece.new_end and piece.new_start < end if piece.new_start < piece.new_end
            else start < piece.new_start < end
            for piece in self.pieces
        )  # fmt: skip
