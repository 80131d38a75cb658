"""What the edits of one fix come to: stretches of the text with what takes their place.

Changes of one fix may touch and must not overlap. Insertions at one point keep the order of their edits; what goes
behind a line stands before what goes in front of the next. Comments that a change would swallow are put on lines of
their own above the statement, so that no fix loses one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from torchperf_lint.model.finding import Edit, TextEdit
from torchperf_lint.syntax.scan import Kind, scan
from torchperf_lint.syntax.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Sequence


class BadEdit(Exception):  # noqa: N818
    """The edits of a fix cannot be done: an error of the rule that wrote them."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """The start of the line on which a statement begins, and its indentation."""

    offset: int
    indent: str


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of the text, and what takes its place."""

    start: int
    end: int
    content: str
    edit: Edit
    """Whose it is."""
    anchor: Anchor
    """Above which line comments find a place."""
    behind: bool = False
    """Content goes behind the line that ends here, not in front of the one that starts."""


def settle(changes: Sequence[Change], source: Source, newline: str) -> tuple[TextEdit, ...]:
    """The changes as edits on text, in order."""
    changes = [each for change in changes for each in _rescued(change, source.text, newline)]
    ordered = sorted(changes, key=lambda change: (change.start, change.end, not change.behind))
    merged: list[Change] = []
    for change in ordered:
        last = merged[-1] if merged else None
        if last is not None and last.start == last.end == change.start == change.end:
            merged[-1] = replace(last, content=last.content + change.content)
        elif last is not None and change.start < last.end:
            raise BadEdit(f"{_words(last, source)} and {_words(change, source)} overlap")
        else:
            merged.append(change)
    return tuple(_text_edit(change, source) for change in merged)


def _rescued(change: Change, text: str, newline: str) -> list[Change]:
    """A change together with a place for each comment that it would swallow."""
    lost = comments(text[change.start : change.end]) - comments(change.content)
    if not lost:
        return [change]
    anchor = change.anchor
    lines = "".join(f"{anchor.indent}{comment}{newline}" for comment in lost.elements())
    if change.start <= anchor.offset:
        return [replace(change, content=lines + change.content)]
    return [replace(change, start=anchor.offset, end=anchor.offset, content=lines), change]


def comments(text: str, flagged: Sequence[tuple[int, int]] = ()) -> Counter[str]:
    """The comments of a text, each with how often it stands there, but for those in which something is flagged."""
    if "#" not in text:
        return Counter()
    spans = sorted(flagged)
    found = [(start, end) for kind, start, end in scan(text) if kind is Kind.COMMENT]
    return Counter(text[start:end].rstrip() for start, end in found if not _holds_any(start, end, spans))


def _holds_any(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a stretch holds one of some others, which are in order."""
    for at in range(bisect_left(spans, (start, 0)), len(spans)):
        if spans[at][0] > end:
            return False
        if spans[at][1] <= end:
            return True
    return False


def _words(change: Change, source: Source) -> str:
    place = source.place(change.start)
    return f"{type(change.edit).__name__} at {place.line}:{place.column}"


def _text_edit(change: Change, source: Source) -> TextEdit:
    return TextEdit(source.path, Span(source.place(change.start), source.place(change.end)), change.content)
