"""Who speaks where several rules claim one expression: the most specific, once.

The table is over codes; it is applied after `--ignore`, so that an ignored rule silences no other, and before
suppressions, so that a comment for one rule does not bring out the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    "TPL109": ("TPL108", "TPL111", "TPL110", "TPL102", "TPL101"),
    "TPL110": ("TPL202", "TPL102"),
    "TPL111": ("TPL113", "TPL103", "TPL102", "TPL101"),
    "TPL112": ("TPL102",),
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
    "TPL614": ("TPL102",),
}  # fmt: skip
"""A rule, and those that are silent where it speaks. Every rule is over TPL100."""

AUDIT: Final = "TPL100"
ABOUT_WAITS: Final = ("sync", "transfer")
"""Families whose findings speak of the waits in what they are about."""


def settle(drafts: Sequence[PlacedDraft]) -> list[PlacedDraft]:
    """The drafts that are left when each expression is claimed once."""
    by_line: dict[int, list[PlacedDraft]] = {}
    for each in drafts:
        for line in _lines(each):
            by_line.setdefault(line, []).append(each)
    kept: dict[tuple[str, Span], PlacedDraft] = {}
    for each in drafts:
        near = (other for line in _lines(each) for other in by_line[line])
        if not any(_silences(other, each) for other in near if other is not each):
            kept.setdefault((each.rule.code, each.span), each)
    return list(kept.values())


def silenced_by(each: PlacedDraft, settled: Sequence[PlacedDraft]) -> str | None:
    """The code of a rule that speaks for the expression of a draft; None where the draft itself is left."""
    return next((other.rule.code for other in settled if other is not each and _silences(other, each)), None)


def rivals(one: str, other: str) -> bool:
    """Whether one of two rules is silent where the other speaks."""
    return AUDIT in (one, other) or other in OVER.get(one, ()) or one in OVER.get(other, ())


def _lines(each: PlacedDraft) -> set[int]:
    """The lines that a draft is on, or is about: drafts that share none are not about one expression."""
    return {line for span in (each.span, each.about) for line in range(span.start.line, span.end.line + 1)}


def _silences(other: PlacedDraft, each: PlacedDraft) -> bool:
    if each.rule.code == AUDIT and other.rule.code != AUDIT and other.rule.family not in ABOUT_WAITS:
        return _inside_one_another(
            other.span, each.span
        )  # what it is about, a loop, may hold waits of which it says nothing
    if each.rule.code == AUDIT and other.rule.code != AUDIT and not _shows(other, each):
        return False
    beaten = OVER.get(other.rule.code, ())
    if each.rule.code not in beaten and not (each.rule.code == AUDIT and other.rule.code != AUDIT):
        return False
    return _touches(other, each)


def _shows(other: PlacedDraft, each: PlacedDraft) -> bool:
    """Whether a finding points at a wait: one of several that are read side by side stands on a line of its own."""
    starts_there = each.span.start.line == other.span.start.line
    return starts_there or (each.span.start <= other.span.start and other.span.end <= each.span.end)


def _touches(other: PlacedDraft, each: PlacedDraft) -> bool:
    """Whether two drafts are about one expression: one lies inside the other, or both are about the same thing."""
    pairs = ((other.span, each.span), (other.about, each.about), (other.about, each.span))
    return any(_inside_one_another(one, two) for one, two in pairs)


def _inside_one_another(one: Span, other: Span) -> bool:
    return (one.start <= other.start and other.end <= one.end) or (other.start <= one.start and one.end <= other.end)
