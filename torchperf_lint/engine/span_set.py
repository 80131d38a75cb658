"""Many stretches of one text, asked whether one of them lies inside of another stretch or holds it.

Each question takes a search, however many stretches there are and even if all stand on one line.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchperf_lint.syntax.source import Span


class SpanSet:
    """Stretches of one text."""

    def __init__(self, spans: Iterable[Span]) -> None:
        found = sorted(((span.start.line, span.start.column), (span.end.line, span.end.column)) for span in spans)
        ends = [end for _, end in found]
        self._starts = [start for start, _ in found]
        self._furthest = list(accumulate(ends, max))
        """Where those that begin so early end at the latest."""
        self._nearest = list(accumulate(reversed(ends), min))[::-1]
        """Where those that begin so late end at the earliest."""

    def any_inside(self, span: Span) -> bool:
        """Whether one of them lies inside of a stretch, or is it."""
        first = bisect_left(self._starts, (span.start.line, span.start.column))
        return first < len(self._starts) and self._nearest[first] <= (span.end.line, span.end.column)

    def any_around(self, span: Span) -> bool:
        """Whether one of them holds a stretch, or is it."""
        after = bisect_right(self._starts, (span.start.line, span.start.column))
        return after > 0 and self._furthest[after - 1] >= (span.end.line, span.end.column)

    def meet(self, span: Span) -> bool:
        """Whether one of them lies inside of a stretch or holds it."""
        return self.any_inside(span) or self.any_around(span)
