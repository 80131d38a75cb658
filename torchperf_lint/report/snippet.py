"""Lines of source with marks under them, and small diffs, behind a gutter of line numbers.

Knows lines, columns and ink; nothing of findings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.report.terminal import Ink, Pen, visible, width
from torchperf_lint.syntax.source import Place, Source, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from torchperf_lint.model.finding import TextEdit

WIDEST: Final = 160
"""Characters of a line that are shown where no terminal is narrower; of a longer one, what is around the first mark."""
LEAST: Final = 40
TALLEST: Final = 12
"""Lines of one span that are shown; of a longer one, the first and the last. Of a longer fix, how it begins."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of text to underline, and what to say of it."""

    span: Span
    label: str
    ink: Ink

    @classmethod
    def at(cls, line: int, column: int, label: str) -> Mark:
        return cls(Span(Place(line, column), Place(line, column + 1)), label, Ink.NOTE)


@dataclass(frozen=True, slots=True)
class Change:
    """Lines that a fix takes and gives, from a line on."""

    line: int
    old: Sequence[str]
    new: Sequence[str]


class Snippet:
    """Draws one text."""

    def __init__(self, source: Source, pen: Pen, gutter: int = 2, columns: int = WIDEST) -> None:
        self.source = source
        self.pen = pen
        self.digits = gutter
        self._columns = columns
        self._begins: dict[int, int] = {}
        """Where lines that are too long begin to be shown."""

    @property
    def _widest(self) -> int:
        return max(LEAST, min(WIDEST, self._columns - self.digits - len(" | …")))

    def gutter(self, lines: Iterable[int]) -> int:
        """Make room for the numbers of lines; answers how much that takes."""
        self.digits = max(2, len(str(max(lines))))
        return self.digits

    def show(self, main: Mark, others: Sequence[Mark]) -> Iterator[str]:
        """The lines of some marks, in the order of the text, each with its marks under it."""
        marks = sorted([main, *others], key=lambda mark: (mark.span, mark is not main))
        tall = main.span.end.line > main.span.start.line
        for mark in [*reversed(others), main]:
            self._begins[mark.span.start.line] = max(0, mark.span.start.column - 1 - self._widest // 4)
        yield self._row("")
        previous = 0
        for number in self._lines(marks, main):
            if previous and number > previous + 2:
                yield self._row("", bar="…")
            elif previous and number == previous + 2:
                yield from self._source_line(number - 1, main, tall=tall)
            yield from self._source_line(number, main, tall=tall)
            for mark in marks:
                if mark is main and tall:
                    continue
                if mark.span.start.line == number:
                    yield self._underline(mark, tall=tall)
            previous = number
        yield self._row("")

    def diff(self, changes: Iterable[Change]) -> Iterator[str]:
        """What a fix does, line by line."""
        for count, change in enumerate(changes):
            if count:
                yield self._row("", bar="…")
            for sign, lines, ink in (("-", change.old, Ink.OLD), ("+", change.new, Ink.NEW)):
                left = lines if len(lines) <= TALLEST else lines[: TALLEST // 2]
                for index, line in enumerate(left):
                    shown = f"{sign} {self._clipped(line, self._differs(change, index), 0, 0)[0]}".rstrip()
                    number = str(change.line + index).rjust(self.digits)
                    yield f"{self.pen(number, Ink.DIM)} {self.pen(shown, ink)}"
                if len(left) < len(lines):
                    yield self._row(f"{len(lines) - len(left)} more lines", bar="…")

    def _differs(self, change: Change, index: int) -> int:
        """Where a line of a change, if it is too long, begins to be shown: so that what changes is seen."""
        if not index < min(len(change.old), len(change.new)):
            return 0
        old, new = change.old[index], change.new[index]
        shorter, longer = sorted((len(old), len(new)))
        same = next((at for at in range(shorter) if old[at] != new[at]), shorter)
        return max(0, min(same - self._widest // 4, longer - self._widest))

    def _lines(self, marks: Sequence[Mark], main: Mark) -> list[int]:
        first, last = main.span.start.line, main.span.end.line
        spanned = range(first, last + 1) if last - first < TALLEST else (first, last)
        return sorted({*spanned, *(mark.span.start.line for mark in marks)})

    def _source_line(self, number: int, main: Mark, *, tall: bool) -> Iterator[str]:
        start, end = main.span.start, main.span.end
        arm = "  " if tall else ""
        if tall and start.line <= number <= end.line:
            arm = self.pen("/ " if number == start.line else "| ", main.ink)
        text, _, _ = self._clip(number, 0, 0)
        yield self._row(arm + text, number=str(number))
        if tall and number == end.line:
            _, _, stop = self._clip(number, 0, end.column - 1)
            yield self._row(self.pen("|" + "_" * max(1, stop) + "^", main.ink))

    def _underline(self, mark: Mark, *, tall: bool) -> str:
        line, label = self.source.line(mark.span.start.line), f" {visible(mark.label)}" if mark.label else ""
        if len(line) > self._widest and not self._shows(mark.span.start):
            return self._row(self.pen(f"…{label}", mark.ink))
        stop = mark.span.end.column - 1 if mark.span.end.line == mark.span.start.line else len(line)
        _, before, length = self._clip(mark.span.start.line, mark.span.start.column - 1, stop)
        under = ("^" if mark.label == "" else "-") * max(1, length)
        return self._row(("  " if tall else "") + " " * before + self.pen(under + label, mark.ink))

    def _row(self, text: str, *, number: str = "", bar: str = "|") -> str:
        return f"{self.pen(f'{number:>{self.digits}} {bar}', Ink.NOTE)} {text}".rstrip()

    def _shows(self, place: Place) -> bool:
        """Whether a place is in the part of its line that is shown."""
        return 0 <= place.column - 1 - self._begins.get(place.line, 0) < self._widest

    def _clip(self, number: int, start: int, stop: int) -> tuple[str, int, int]:
        """A line as it is shown, how far in a stretch of it begins, and how wide that is."""
        line = self.source.line(number)
        begin = self._begins.get(number, 0) if len(line) > self._widest else 0
        return self._clipped(line, begin, start, stop)

    def _clipped(self, line: str, first: int, start: int, stop: int) -> tuple[str, int, int]:
        end = first + self._widest
        shown = f"{'…' if first else ''}{visible(line[first:end])}{'…' if end < len(line) else ''}"
        before = width(("…" if first else "") + visible(line[first:start]))
        return shown, before, width(visible(line[max(first, start) : min(stop, end)]))


def changed(source: Source, edits: Iterable[TextEdit]) -> list[Change]:
    """What edits do to a text, as changed lines; edits that share a line are one change."""
    groups: list[list[TextEdit]] = []
    last = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        if edit.span.end.line > len(source.starts):
            return []  # the file is no longer what was linted
        if edit.span.start.line > last:
            groups.append([])
        groups[-1].append(edit)
        last = max(last, edit.span.end.line)
    return [change for group in groups if (change := _change(source, group)) is not None]


def _change(source: Source, edits: Sequence[TextEdit]) -> Change | None:
    first, last = edits[0].span.start.line, max(edit.span.end.line for edit in edits)
    old = [source.line(number) for number in range(first, last + 1)]
    end = source.offset(Place(last, 1)) + len(old[-1])
    text, position = "", source.offset(Place(first, 1))
    for edit in edits:
        text += source.text[position : source.offset(edit.span.start)] + edit.content
        position = source.offset(edit.span.end)
    fixed = Source(text + source.text[position:end])
    new = [fixed.line(number) for number in range(1, len(fixed.starts) + 1)]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    while old and new and old[0] == new[0]:
        del old[0], new[0]
        first += 1
    return Change(first, old, new) if old or new else None
