"""Who speaks where several rules claim one expression: the most specific, once.

The table is over codes; it is applied after `--ignore`, so that an ignored rule silences no other, and before
suppressions, so that a comment for one rule does not bring out the next.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from torchperf_lint.engine.span_set import SpanSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from torchperf_lint.engine.apply_rule import PlacedDraft
    from torchperf_lint.syntax.source import Span

OVER: Final[dict[str, tuple[str, ...]]] = {
    "TPL101": ("TPL607", "TPL608"),
    "TPL103": ("TPL608", "TPL612"),
    "TPL104": ("TPL103", "TPL102", "TPL612"),
    "TPL105": ("TPL103", "TPL102"),
    "TPL106": ("TPL107", "TPL101", "TPL102"),
    "TPL107": ("TPL103", "TPL101", "TPL102", "TPL607", "TPL608"),
    "TPL108": ("TPL111", "TPL110", "TPL102", "TPL101"),
    "TPL109": ("TPL108", "TPL111", "TPL110", "TPL102", "TPL101", "TPL613"),
    "TPL110": ("TPL202", "TPL102"),
    "TPL111": ("TPL113", "TPL103", "TPL102", "TPL101"),
    "TPL112": ("TPL102", "TPL612"),
    "TPL113": ("TPL202", "TPL102"),
    "TPL114": ("TPL102",),
    "TPL115": ("TPL101", "TPL102"),
    "TPL117": ("TPL102",),
    "TPL201": ("TPL208", "TPL205", "TPL202", "TPL203", "TPL102"),
    "TPL202": ("TPL102", "TPL612"),
    "TPL203": ("TPL102",),
    "TPL205": ("TPL102",),
    "TPL208": ("TPL205", "TPL102"),
    "TPL102": ("TPL103", "TPL101", "TPL608", "TPL612"),
    "TPL304": ("TPL307",),
    "TPL401": ("TPL402",),
    "TPL404": ("TPL117",),
    "TPL306": ("TPL605",),
    "TPL607": ("TPL612",),
    "TPL614": ("TPL102",),
}  # fmt: skip
"""A rule, and those that are silent where it speaks. Every rule is over TPL100, but those in `_BESIDE`."""

AUDIT: Final = "TPL100"
ABOUT_WAITS: Final = ("sync", "transfer")
"""Families whose findings speak of the waits in what they are about."""

_BESIDE: Final = ("TPL211", "TPL401", "TPL612", "TPL613")
"""Rules that speak of more than a wait, so that the audit names the wait as well."""

_UNDER: Final = {
    code: [over for over, silent in OVER.items() if code in silent] for codes in OVER.values() for code in codes
}
"""A rule, and those that are over it."""


def settle(drafts: Sequence[PlacedDraft]) -> list[PlacedDraft]:
    """The drafts that are left when each expression is claimed once."""
    speakers = Speakers(drafts)
    kept: dict[tuple[str, Span], PlacedDraft] = {}
    for each in drafts:
        if speakers.over(each) is None:
            kept.setdefault((each.rule.code, each.span), each)
    return list(kept.values())


def rivals(one: str, other: str) -> bool:
    """Whether one of two rules is silent where the other speaks."""
    return AUDIT in (one, other) or other in OVER.get(one, ()) or one in OVER.get(other, ())


class Speakers:
    """Drafts, asked which rule speaks in the place of another draft."""

    def __init__(self, drafts: Iterable[PlacedDraft]) -> None:
        by_code: dict[str, list[PlacedDraft]] = {}
        for each in drafts:
            by_code.setdefault(each.rule.code, []).append(each)
        self._claims = {code: _Claims(found) for code, found in by_code.items()}

    def over(self, each: PlacedDraft) -> str | None:
        """The code of a rule that speaks for the expression of a draft; None where none does."""
        if each.rule.code == AUDIT:
            named = (code for code in self._claims if code not in (AUDIT, *_BESIDE))
            return next((code for code in named if self._claims[code].show(each)), None)
        over = (code for code in _UNDER.get(each.rule.code, ()) if code in self._claims)
        return next((code for code in over if self._claims[code].touch(each)), None)


def _is_of_itself(wait: PlacedDraft) -> bool:
    """Whether a call waits for its own sake, of whatever its arguments do: it checks them."""
    return any(getattr(fact.value, "form", None) == "library" for fact in wait.draft.because)


class _Claims:
    """What the drafts of one rule stand at and are about."""

    def __init__(self, drafts: Sequence[PlacedDraft]) -> None:
        self._drafts = drafts
        self._at = SpanSet(each.span for each in drafts)
        self._about = SpanSet(each.about for each in drafts)

    def touch(self, other: PlacedDraft) -> bool:
        """Whether one is about the expression of another draft: one lies inside the other, or both are about the same thing."""
        return self._at.meet(other.span) or self._about.meet(other.about) or self._about.meet(other.span)

    def show(self, wait: PlacedDraft) -> bool:
        """Whether one points at a wait: one of several that are read side by side stands on a line of its own."""
        if self._drafts[0].rule.family not in ABOUT_WAITS:
            return self._at.meet(wait.span)  # what it is about, a loop, may hold waits of which it says nothing
        on_line = self._by_line.get(wait.span.start.line)
        if on_line is not None and on_line.touch(wait):
            return True
        return self._at.any_inside(wait.span) and not _is_of_itself(wait)

    @cached_property
    def _by_line(self) -> dict[int, _Claims]:
        lines: dict[int, list[PlacedDraft]] = {}
        for each in self._drafts:
            lines.setdefault(each.span.start.line, []).append(each)
        return {line: _Claims(found) for line, found in lines.items()}
