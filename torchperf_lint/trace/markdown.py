"""The report of a trace for a pull request."""

from __future__ import annotations

from torchperf_lint.report.markdown import as_cell, as_code
from torchperf_lint.trace.report import Report
from torchperf_lint.trace.rows import conclusion
from torchperf_lint.trace.table import MOST, budget_lines, findings_of, heading, notes
from torchperf_lint.trace.words import gained, ms


def render(report: Report) -> str:
    analysis = report.analysis
    ranks = report.differences
    lines = [f"## {as_cell(heading(analysis))}", ""]
    lines += [f"**{as_cell(' '.join(ranks.said))}**", ""] if ranks.first else []
    lines += [f"**{as_cell(conclusion(analysis, report.rows))}**", ""]
    lines += [as_cell(each) + "  " for each in budget_lines(analysis)]
    if report.rows:
        lines += [
            "",
            "| line | what | waits a step | now | without it | verdict | found by |",
            "|---|---|---|---|---|---|---|",
        ]
    for row in report.rows[:MOST]:
        cells = (
            as_code(row.place), as_cell(row.what), f"{row.waits:g}", ms(row.now_ms),
            gained(row.gain, analysis.predicted.step_ms), row.gain.verdict, as_cell(findings_of(row.findings)),
        )  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    said = [*notes(analysis), *(() if ranks.first else ranks.said)]
    lines += ["", *(f"- {as_cell(each)}" for each in said)] if said else []
    return "\n".join(lines) + "\n"
