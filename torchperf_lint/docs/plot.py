"""What was measured, as pictures: gains with their intervals, against sizes and the work that the host has to do.

A gain is a point on a logarithmic scale, before divided by after, so that twice as fast is as far from 1 as twice as
slow. A picture says its colours itself and in both themes, where it stands alone; the site gives it those of the page.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from torchperf_lint.model.impact import WORTH

WIDTH: Final = 480
LEFT: Final = 96
RIGHT: Final = 400
"""Where the scale begins and ends; on its left is what the host has to do, on its right the gain in digits."""
TITLE: Final = 24
ROW: Final = 20
END: Final = 34
"""Heights: of the name of a group, of a point, of the scale below all."""
TICKS: Final = tuple(
    [0.1, 0.2, 0.5, 0.8, 0.9, 1, 1.05, 1.1, 1.2, 1.3, 1.5, 2, 3, 4, 5]
    + [step * 10**power for power in range(1, 5) for step in (1, 2, 5)]
)
NEAREST: Final = 44
"""Between the numbers of a scale."""
HEAD: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" class="plot" role="img"'
    ' font-family="sans-serif" font-size="12">'
)
STYLE: Final = """\
<style>
svg { background: #fff; --ink: #222; --faint: #767676; --faster: #00796b; --slower: #c62828 }
@media (prefers-color-scheme: dark) { svg { background: #1e2129; --ink: #e4e6eb; --faint: #9aa0ab; --faster: #4db6ac; --slower: #ef9a9a } }
</style>
"""
"""For a picture that stands alone; the site has the same names."""


@dataclass(frozen=True, slots=True)
class Point:
    """One gain."""

    label: str
    gain: float
    low: float
    high: float

    @property
    def color(self) -> str:
        """A gain that counts, a loss, or neither."""
        if self.gain >= WORTH and self.low > 1:
            return "var(--faster)"
        return "var(--slower)" if self.high < 1 else "var(--faint)"


@dataclass(frozen=True, slots=True)
class Group:
    """Points under one name."""

    title: str
    points: tuple[Point, ...]


class _Scale:
    """Where a gain stands on the picture, and which gains are named below it."""

    def __init__(self, points: Sequence[Point], most: float) -> None:
        self._low = math.log(min(0.98, *(each.low for each in points)))
        self._high = math.log(min(most, max(1.1, *(each.high for each in points))))

    def x(self, gain: float) -> float:
        share = min(1.0, (math.log(gain) - self._low) / (self._high - self._low))
        return round(LEFT + share * (RIGHT - LEFT), 1)

    def ticks(self) -> list[float]:
        """1 and what is far enough from it and from each other."""
        taken = [1.0]
        for gain in TICKS:
            inside = self._low <= math.log(gain) <= self._high
            if inside and all(abs(self.x(gain) - self.x(each)) >= NEAREST for each in taken):
                taken.append(gain)
        return sorted(taken)


def gains(title: str, groups: Sequence[Group], most: float = math.inf) -> str:
    """A picture of gains, group by group; those above `most` stand at the edge."""
    scale = _Scale([point for group in groups for point in group.points], most)
    bottom = sum(TITLE + ROW * len(group.points) for group in groups)
    lines = [
        HEAD.format(width=WIDTH, height=bottom + END),
        f"<title>{escape(title)}</title>",
        STYLE.rstrip(),
        *_below(scale, bottom),
    ]
    y = 0
    for group in groups:
        lines.append(f'<text x="4" y="{y + 16}" fill="var(--ink)">{escape(group.title)}</text>')
        y += TITLE
        lines += _ground(scale, y, y + ROW * len(group.points))
        for point in group.points:
            lines += _point(point, scale, y)
            y += ROW
    return "\n".join([*lines, "</svg>"]) + "\n"


def _ground(scale: _Scale, top: int, bottom: int) -> Iterator[str]:
    """The line of no gain, and those of the numbers, behind a group."""
    for gain in scale.ticks():
        dash = "" if gain == 1 else ' stroke-dasharray="1 5"'
        yield f'<path d="M{scale.x(gain)},{top} V{bottom}" stroke="var(--faint)"{dash}/>'


def _below(scale: _Scale, bottom: int) -> Iterator[str]:
    """The numbers of the scale, and what they mean."""
    for gain in scale.ticks():
        yield f'<text x="{scale.x(gain)}" y="{bottom + 14}" text-anchor="middle" fill="var(--faint)">{gain:g}×</text>'
    yield f'<text x="4" y="{bottom + 28}" fill="var(--faint)">before divided by after; right of 1× is faster</text>'


def _point(point: Point, scale: _Scale, y: int) -> Iterator[str]:
    middle = y + ROW // 2 - 2
    low, at, high = (scale.x(each) for each in (point.low, point.gain, point.high))
    digits = f"{point.gain:.2f}" if point.gain < 10 else f"{point.gain:.0f}"
    if point.label:
        yield f'<text x="{LEFT - 8}" y="{middle + 4}" text-anchor="end" fill="var(--faint)">{escape(point.label)}</text>'
    yield f'<path d="M{low},{middle} H{high}" stroke="{point.color}" stroke-width="3" stroke-opacity="0.45"/>'
    yield f'<circle cx="{at}" cy="{middle}" r="4.5" fill="{point.color}"/>'
    yield f'<text x="{WIDTH - 4}" y="{middle + 4}" text-anchor="end" fill="{point.color}">{digits}×</text>'
