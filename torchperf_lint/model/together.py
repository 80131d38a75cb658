"""What one rule says of waits, copies and the like in one function becomes one finding, and so do its hints there: they are one
thing to look at, and whoever mends one of several waits alone gains little. So do waits right behind each other, whatever rules
speak of them: where next to nothing is queued in between, only the first costs. So the fix mends all, or says which it leaves;
what is safe to mend stays apart from what is not. It happens after suppressions: a head that is suppressed hands its place on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from torchperf_lint.model.finding import Confidence, Finding, Fix, Safety, Spot, TextEdit

WAITING: Final = ("TPL1", "TPL201", "TPL202", "TPL203", "TPL204", "TPL205", "TPL206", "TPL208", "TPL211")
"""Codes of which most findings are waits; what loaders do is none."""
_NAMED: Final = re.compile(r"`[^`]*`")
"""What a message names; the rest says which form of its rule a finding is: two forms are two things to look at."""
_SAYS: Final = "waits all the same"
"""How a fix says that something stays beside it that waits; a rule may have said it already."""


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Findings with those that are one thing to look at as one, at the place of the first."""
    every = sorted(findings, key=lambda finding: finding.order)
    heads = _heads(every)
    found: dict[tuple[object, ...], list[Finding]] = {}
    for each in sorted(every, key=lambda finding: id(finding) in heads):
        head = _last(each, heads)
        found.setdefault((head.path, head.cell, head.code, *_shared(head)), []).append(each)
    return sorted(map(_one, found.values()), key=lambda finding: finding.order)


def _heads(findings: Sequence[Finding]) -> dict[int, Finding]:
    """By the identity of a finding, the one whose place it takes part in: the first of those that wait right behind each other."""
    at = {(each.path, each.cell, each.code, each.span): each for each in findings}
    first: dict[tuple[object, ...], Finding] = {}
    heads: dict[int, Finding] = {}
    for each in findings:
        if each.behind is not None:
            key = (each.path, each.cell, *each.behind)
            # Of one that is suppressed the next is the head.
            head = _last(at.get(key) or first.setdefault(key, each), heads)
            if head is not each and _joins(each, head):  # functions may wait at the end of each other
                heads[id(each)] = head
    return heads


def _last(finding: Finding, heads: dict[int, Finding]) -> Finding:
    while id(finding) in heads:
        finding = heads[id(finding)]
    return finding


def _joins(finding: Finding, head: Finding) -> bool:
    """Whether a finding may be told with another one: that is as bad, and no fix loses its safety."""
    return finding.severity <= head.severity and _is_safe(finding) == _is_safe(head)


def _is_safe(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.safety is Safety.SAFE


def _shared(finding: Finding) -> tuple[object, ...]:
    """What findings of one rule share that become one."""
    if finding.function is None:
        return (finding.fingerprint, finding.span)
    form = "" if finding.code.startswith(WAITING) else _NAMED.sub("", finding.message)
    return (finding.function, finding.severity, _is_safe(finding), form)


def _one(together: Sequence[Finding]) -> Finding:
    head, *others = together
    if not others:
        return replace(head, function=None, behind=None)
    others.sort(key=lambda finding: finding.order)
    spots = tuple(Spot(each.path, each.span.start.line, each.span.start.column, each.cell) for each in others)
    likely = [each.confidence for each in together if each.confidence is Confidence.LIKELY]
    sure = likely[0] if likely else head.confidence
    return replace(head, function=None, behind=None, also=spots, confidence=sure, fix=_fix(together))


def _fix(together: Sequence[Finding]) -> Fix[TextEdit] | None:
    """The fix for all of them, which says where it leaves some; one that is only shown where there is no other."""
    by_code = [(each.code, each.fix) for each in together if each.fix is not None]
    ready = [fix for _, fix in by_code if fix.safety is not Safety.SHOWN]
    if not ready:
        return together[0].fix
    edits = tuple(dict.fromkeys(edit for fix in ready for edit in fix.edits))
    if _overlap(edits):
        return ready[0]
    safety = min(fix.safety for fix in ready)
    titles = {code: fix.title for code, fix in reversed(by_code) if fix.safety is not Safety.SHOWN}
    title = "; ".join(titles[code] for code in dict.fromkeys(code for code, _ in by_code) if code in titles)
    left = [str(each.span.start.line) for each in together if each.fix is None or each.fix.safety is Safety.SHOWN]
    if left:
        stays = _SAYS if together[0].code.startswith(WAITING) else "needs a change of its own"
        more = f"; line {', '.join(left)} {stays}" if _SAYS not in title else ""
        return Fix(f"{title}{more}", edits, safety)
    return Fix(f"{title} (here and at {len(together) - 1} more)", edits, safety)


def _overlap(edits: Sequence[TextEdit]) -> bool:
    """Whether some edits write over each other: then one is made after the other."""
    ordered = sorted(edits, key=lambda edit: (edit.path, edit.cell or 0, edit.span))
    return any(
        (one.path, one.cell) == (next_.path, next_.cell) and next_.span.start < one.span.end
        for one, next_ in pairwise(ordered)
    )
