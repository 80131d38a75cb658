"""One line a finding, as editors and `grep` like it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchperf_lint.model.finding import Finding, Safety
from torchperf_lint.report.locations import place
from torchperf_lint.report.ranking import groups
from torchperf_lint.report.terminal import Ink, Pen, visible

if TYPE_CHECKING:
    from torchperf_lint.model.outcome import Outcome
    from torchperf_lint.report import View


def render(outcome: Outcome, view: View) -> str:
    found = (
        [each for group in groups(outcome.findings, outcome.traced) for each in group]
        if view.by_impact
        else outcome.findings
    )
    return "".join(_line(finding, outcome, view) for finding in found)


def _line(finding: Finding, outcome: Outcome, view: View) -> str:
    pen = Pen(view.color)
    at = place(outcome, view, finding.path, finding.cell, finding.span.start)
    fixable = f"[{pen('*', Ink.PLACE)}] " if finding.fix and finding.fix.safety > Safety.SHOWN else ""
    return f"{at}{pen(':', Ink.DIM)} {pen(finding.code, Ink.OLD)} {fixable}{visible(finding.message)}\n"
