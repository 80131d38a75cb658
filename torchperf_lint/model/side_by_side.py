"""Several waits with no work for the GPU between them become one finding: only the first of them costs. So do the hints of one
rule in one function: they are one thing to look at.

It happens after suppressions, so a head that is suppressed hands its place to the next. Whoever mends one of several waits
alone gains nothing, so the fix mends all, or says which it leaves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from torchperf_lint.model.finding import Finding, Fix, Safety, Spot, TextEdit

_SAYS: Final = "waits all the same"
"""How a fix says that something stays beside it that waits; a rule may have said it already."""


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Findings with those of one run as one, at the place of the first."""
    runs: dict[tuple[object, ...], list[Finding]] = {}
    for each in findings:
        runs.setdefault((each.path, each.cell, each.code, *_run(each)), []).append(each)
    return sorted(map(_one, runs.values()), key=lambda finding: finding.order)


def _run(finding: Finding) -> tuple[object, ...]:
    """What findings of one rule share that become one."""
    if finding.run is not None:
        return ("waits", finding.run)
    if finding.hinted is not None:
        safety = finding.fix.safety if finding.fix is not None else None
        return ("hints", finding.hinted, finding.confidence, safety)
    return (finding.fingerprint, finding.span)


def _one(run: Sequence[Finding]) -> Finding:
    head, *others = run
    if not others:
        return replace(head, run=None, hinted=None)
    spots = tuple(Spot(each.path, each.span.start.line, each.span.start.column, each.cell) for each in others)
    return replace(head, run=None, hinted=None, also=spots, fix=_fix(run))


def _fix(run: Sequence[Finding]) -> Fix[TextEdit] | None:
    """The fix for all of them; where some have none, that of the first, which says so."""
    fixes = [each.fix for each in run]
    first = fixes[0]
    if first is None or first.safety is Safety.SHOWN:
        return first
    left = [each.span.start.line for each in run if each.fix is None or each.fix.safety is Safety.SHOWN]
    if left:
        more = f"; line {', '.join(map(str, left))} {_SAYS}" if _SAYS not in first.title else ""
        return replace(first, title=first.title + more)
    edits = tuple(dict.fromkeys(edit for fix in fixes if fix is not None for edit in fix.edits))
    safety = min(fix.safety for fix in fixes if fix is not None)
    return Fix(f"{first.title} (here and at {len(run) - 1} more)", edits, safety)
