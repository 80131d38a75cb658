"""One JSON object a line: findings, then errors; for tools that read as they go."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from torchperf_lint.report.json_text import json_text

if TYPE_CHECKING:
    from torchperf_lint.model.outcome import Outcome
    from torchperf_lint.report import View


def render(outcome: Outcome, _: View) -> str:
    rows = outcome.plain_findings()
    rows += [{"error": asdict(failure)} for failure in outcome.failures]
    return "".join(json_text(row) + "\n" for row in rows)
