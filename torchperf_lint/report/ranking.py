"""What matters first: findings by what was measured of them, and those of a file that say the same as one group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.model.finding import Confidence, Finding
from torchperf_lint.report.traced import gained_ms

if TYPE_CHECKING:
    from collections.abc import Iterable

NO_TRACE: Final[Mapping[str, Mapping[str, Any]]] = {}

Group = tuple[Finding, ...]
"""Findings of one file that say the same, the first of the file ahead."""

BEST: Final = 5
"""So many are named at the end of a long report."""


def groups(findings: Iterable[Finding], traced: Mapping[str, Mapping[str, Any]] = NO_TRACE) -> list[Group]:
    """Findings that say the same together, those that matter most first; a trace of the program knows best."""
    together: dict[tuple[object, ...], list[Finding]] = {}
    for each in sorted(findings, key=lambda finding: finding.order):
        key: tuple[object, ...] = (each.path, each.cell, each.code, each.message, each.severity, each.confidence)
        key = (*key, each.fingerprint) if each.fingerprint in traced else key
        together.setdefault(key, []).append(each)
    found = [tuple(group) for group in together.values()]
    return sorted(found, key=lambda group: (-gained_ms(traced.get(group[0].fingerprint)), _rank(group[0])))


def best(findings: Iterable[Finding], traced: Mapping[str, Mapping[str, Any]] = NO_TRACE) -> list[Group]:
    """The few to begin with; none where there are not more than that."""
    found = [
        group
        for group in groups(findings, traced)
        if group[0].impact is not None or gained_ms(traced.get(group[0].fingerprint))
    ]
    return found[:BEST] if len(found) > BEST else []


def _rank(finding: Finding) -> tuple[object, ...]:
    """By severity; then gains of a whole step before those of a part of one, whose share nobody knows; then by gain."""
    impact = finding.impact
    part = impact is None or impact.part
    gain = (impact.high or 0.0) if impact is not None else 0.0
    return (-finding.severity, part, -gain, finding.confidence is not Confidence.PROVEN, finding.order)
