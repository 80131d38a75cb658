"""The contract for machines: one object, stable in order and form."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from torchperf_lint.model.finding import Safety
from torchperf_lint.report.json_text import json_text
from torchperf_lint.version import VERSION

if TYPE_CHECKING:
    from torchperf_lint.model.outcome import Outcome
    from torchperf_lint.report import View


def render(outcome: Outcome, _: View) -> str:
    fixable = sum(bool(finding.fix and finding.fix.safety > Safety.SHOWN) for finding in outcome.findings)
    report = {
        "version": 1,
        "tool": {"name": "torchperf-lint", "version": VERSION},
        "summary": {
            "files": outcome.files,
            "findings": len(outcome.findings),
            "fixable": fixable,
            "seconds": round(outcome.seconds, 3),
        },
        "findings": outcome.plain_findings(),
        "errors": [asdict(failure) for failure in outcome.failures],
    }
    return json_text(report, indent=2) + "\n"
