"""Findings on the page: what is wrong, what the trace says of it, and the fix as a diff."""

from __future__ import annotations

from html import escape
from typing import Final

from torchperf_lint.model.finding import Finding
from torchperf_lint.model.record import url
from torchperf_lint.report import traced as of_trace
from torchperf_lint.report import verified as of_verify
from torchperf_lint.report.snippet import changed
from torchperf_lint.report.terminal import visible
from torchperf_lint.report.text import TITLES
from torchperf_lint.syntax.source import Source
from torchperf_lint.trace.report import Report
from torchperf_lint.trace.rows import traced_plain

LONGEST: Final = 200


def card(finding: Finding, report: Report) -> str:
    """One finding, with its fix."""
    traced = report.joined.findings.get(finding.fingerprint)
    said = f"<p>trace: {escape(of_trace.in_words(traced_plain(report.analysis, traced)))}</p>" if traced else ""
    verified = report.measured.get(finding.fingerprint)
    own = f"<p>measured here: {escape(visible(of_verify.in_words(verified)))}</p>" if verified else ""
    known = f"<p class=dim>measured elsewhere: {escape(finding.impact.words)}</p>" if finding.impact else ""
    return (
        f'<div class="finding {finding.severity}"><p><a href="{escape(url(finding.code, finding.name))}">{finding.code}</a> '
        f"{escape(visible(finding.message))}</p>{said}{own}{known}{_fix(finding, report)}</div>"
    )


def _fix(finding: Finding, report: Report) -> str:
    if finding.fix is None:
        return ""
    lines = report.texts(finding.path, finding.cell)
    edits = [edit for edit in finding.fix.edits if (edit.path, edit.cell) == (finding.path, finding.cell)]
    diff = ""
    for change in changed(Source("\n".join(lines) + "\n"), edits) if lines is not None else ():
        for sign, kind, several in (("-", "old", change.old), ("+", "new", change.new)):
            diff += "".join(
                f'<span class="{kind}">{sign} {escape(visible(each[:LONGEST]))}</span>\n' for each in several
            )
    shown = f"<pre class=diff>{diff}</pre>" if diff else ""
    return f"<p>{TITLES[finding.fix.safety]}: {escape(visible(finding.fix.title))}</p>{shown}"


def others(report: Report) -> str:
    """Findings in files whose source is not on the page."""
    shown = {file.path for file in report.analysis.trace.files}
    return "".join(
        f"<p class=place>{escape(each.path)}:{each.span.start.line}</p>{card(each, report)}"
        for each in report.findings
        if each.path not in shown
    )
