"""The report of a trace for machines: one JSON object. `rules_docs/trace.md` says what each key means."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from torchperf_lint.model.record import to_plain
from torchperf_lint.report.json_text import json_text
from torchperf_lint.trace.costs import Cost
from torchperf_lint.trace.predict import UNKNOWN, Gain
from torchperf_lint.trace.report import Report
from torchperf_lint.trace.rows import Row, conclusion, traced_plain
from torchperf_lint.trace.table import notes
from torchperf_lint.version import VERSION

Plain = dict[str, Any]


def render(report: Report) -> str:
    return json_text(as_plain(report), indent=2) + "\n"


def as_plain(report: Report) -> Plain:
    analysis = report.analysis
    trace = analysis.trace
    said = {each: traced_plain(analysis, traced) for each, traced in report.joined.findings.items()}
    return {
        "version": 1,
        "tool": {"name": "torchperf-lint", "version": VERSION},
        "about": dict(trace.about),
        "timing": asdict(trace.timing) if trace.timing else None,
        "steps": {"profiled": trace.steps, "profiled_ms": round(trace.profiled_ms, 4)},
        "budget": _rounded(asdict(analysis.budget)) if analysis.budget else None,
        "everything": _gain(analysis.predicted.everything),
        "trouble": analysis.predicted.trouble or None,
        "conclusion": conclusion(analysis, report.rows),
        "rows": [_row(row) for row in report.rows],
        "lines": [
            {"path": place[0], "line": place[1], **_cost(cost)}
            for line, cost in analysis.costs.items()
            if (place := trace.place(line)) is not None
        ],
        "counters": dict(trace.counters),
        "notes": notes(analysis),
        "differences": list(report.differences.said),
        "findings": [to_plain(each, traced=said.get(each.fingerprint)) for each in report.findings],
    }


def _row(row: Row) -> Plain:
    return {
        "path": row.path,
        "line": row.number or None,
        "what": row.what,
        "waits": round(row.waits, 2),
        "now_ms": round(row.now_ms, 4),
        "gain": _gain(row.gain),
        "findings": [each.fingerprint for each in row.findings],
    }


def _gain(gain: Gain) -> Plain:
    """Where nothing is known, no figures: 0 from 0 to 0 would say that nothing is gained for sure."""
    figures = {name: getattr(gain, name) for name in ("ms", "low", "high", "after_ms")}
    return {**(dict.fromkeys(figures) if gain == UNKNOWN else _rounded(figures)), "verdict": gain.verdict}


def _cost(cost: Cost) -> Plain:
    return _rounded({name: value for name, value in asdict(cost).items() if isinstance(value, float)})


def _rounded(plain: Plain) -> Plain:
    return {name: round(value, 4) for name, value in plain.items()}
