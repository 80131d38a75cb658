"""Workflow commands, which GitHub Actions turns into annotations on the lines of a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from torchperf_lint.model.finding import Finding, Severity
from torchperf_lint.report.terminal import visible

if TYPE_CHECKING:
    from torchperf_lint.model.outcome import Outcome
    from torchperf_lint.report import View

LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(outcome: Outcome, _: View) -> str:
    failures = [f"::error file={_property(each.path)}::{_data(each.message)}\n" for each in outcome.failures]
    return "".join([*map(_annotation, outcome.findings), *failures])


def _annotation(finding: Finding) -> str:
    start, end = finding.span.start, finding.span.end
    at: dict[str, object] = {"title": f"torchperf-lint ({finding.code})", "file": finding.path}
    where = f"{finding.path}:{start.line}:{start.column}:"
    if finding.cell is None:
        at |= {"line": start.line, "endLine": end.line}
        if start.line == end.line:  # GitHub refuses columns of a span over several lines
            at |= {"col": start.column, "endColumn": end.column}
    else:  # the lines of a cell are not the lines of its file
        where = f"{finding.path}:cell {finding.cell}:{start.line}:{start.column}:"
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in at.items())
    return f"::{LEVELS[finding.severity]} {properties}::{_data(f'{where} {finding.code} {finding.message}')}\n"


def _data(text: str) -> str:
    return visible(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
