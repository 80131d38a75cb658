"""GitLab's code quality report: a list of issues, told apart by fingerprint."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.model.finding import Finding, Severity
from torchperf_lint.model.record import url
from torchperf_lint.report.json_text import json_text

if TYPE_CHECKING:
    from torchperf_lint.model.failure import Failure
    from torchperf_lint.model.outcome import Outcome
    from torchperf_lint.report import View

SEVERITIES: Final = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "minor"}


def render(outcome: Outcome, _: View) -> str:
    issues = [*map(_issue, outcome.findings), *map(_failure, outcome.failures)]
    return json_text(issues, indent=2) + "\n"


def _issue(finding: Finding) -> dict[str, Any]:
    start, end = finding.span.start, finding.span.end
    cell = "" if finding.cell is None else f" (cell {finding.cell})"
    return {
        "description": f"{finding.code}: {finding.message}{cell}",
        "check_name": finding.code,
        "fingerprint": finding.fingerprint,
        "severity": SEVERITIES[finding.severity],
        "categories": ["Performance"],
        "content": {"body": url(finding.code, finding.name)},
        "location": {
            "path": finding.path,
            "positions": {
                "begin": {"line": start.line, "column": start.column},
                "end": {"line": end.line, "column": end.column},
            },
        },
    }


def _failure(failure: Failure) -> dict[str, Any]:
    mark = blake2b(failure.path.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
    return {
        "description": failure.message,
        "check_name": "unreadable",
        "fingerprint": f"v1:{mark}",
        "severity": "blocker",
        "location": {"path": failure.path, "lines": {"begin": 1}},
    }
