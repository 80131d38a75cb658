"""The one line at the end of a run."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from torchperf_lint.model.finding import Safety, Severity
from torchperf_lint.report.ranking import best
from torchperf_lint.report.traced import in_words

if TYPE_CHECKING:
    from torchperf_lint.model.outcome import Outcome
    from torchperf_lint.report.ranking import Group


def line(outcome: Outcome) -> str:
    """How many findings there are, how bad, and how many of them a fix is ready for."""
    files = counted(outcome.files, "file")
    if not outcome.findings:
        return f"No findings in {files}."
    severities = Counter(finding.severity for finding in outcome.findings)
    parts = [
        f"{count:,} info" if severity is Severity.INFO else counted(count, str(severity))
        for severity, count in sorted(severities.items(), reverse=True)
    ]
    counts = f"{counted(len(outcome.findings), 'finding')} in {files} ({', '.join(parts)})."
    return f"{counts}{_fixable(outcome)}"


def first(outcome: Outcome) -> str:
    """Where to begin, after a long report; empty after a short one."""
    lines = [f"  {_named(group, outcome)}" for group in best(outcome.findings, outcome.traced)]
    return "\n".join(["Begin with these:", *lines]) if lines else ""


def _named(group: Group, outcome: Outcome) -> str:
    finding = group[0]
    more = f" and {counted(len(group) - 1, 'more place')}" if len(group) > 1 else ""
    cell = f":cell {finding.cell}" if finding.cell is not None else ""
    at = f"{finding.path}{cell}:{finding.span.start.line}"
    worth = finding.impact.words if finding.impact else ""
    if (traced := outcome.traced.get(finding.fingerprint)) is not None:
        worth = in_words(traced)
    return f"{at}{more}: {finding.code} {finding.name}, {worth}"


def _fixable(outcome: Outcome) -> str:
    counts = Counter(finding.fix.safety for finding in outcome.findings if finding.fix)
    safe, unsafe = counts[Safety.SAFE], counts[Safety.UNSAFE]
    if safe and unsafe:
        return f" {safe} fixable with `--fix`, {unsafe} more with `--unsafe-fixes`."
    if safe:
        return f" {safe} fixable with `--fix`."
    return f" {unsafe} fixable with `--fix --unsafe-fixes`." if unsafe else ""


def counted(count: int, thing: str) -> str:
    """`1 file`, `2 files`."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"
