"""SARIF 2.1.0, which code scanning services take: rules with their help, evidence as related places, fixes.

Paths are relative to `%SRCROOT%`, columns count code points, and a finding keeps its fingerprint when lines move.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from torchperf_lint.model.catalogue import Entry, by_code
from torchperf_lint.model.finding import Finding, Fix, Note, Safety, Severity, TextEdit
from torchperf_lint.model.record import impact_plain, url
from torchperf_lint.report.json_text import json_text
from torchperf_lint.syntax.source import Place, Span
from torchperf_lint.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torchperf_lint.model.failure import Failure
    from torchperf_lint.model.outcome import Outcome
    from torchperf_lint.report import View

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
HOME: Final = "https://github.com/torchperf-lint/torchperf-lint"
LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
ROOT: Final = "SRCROOT"

Plain = dict[str, Any]


def render(outcome: Outcome, _: View) -> str:
    codes = sorted({finding.code for finding in outcome.findings})
    run = {
        "tool": {
            "driver": {
                "name": "torchperf-lint",
                "version": VERSION,
                "informationUri": HOME,
                "rules": [_rule(by_code()[code]) for code in codes],
            }
        },
        "originalUriBaseIds": {
            ROOT: {
                "uri": f"{outcome.root.absolute().as_uri()}/",
                "description": {"text": "The working folder, which paths are relative to."},
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, codes.index(finding.code), outcome) for finding in outcome.findings],
        "invocations": [
            {
                "executionSuccessful": not outcome.broke,
                "toolExecutionNotifications": [_notification(failure) for failure in outcome.failures],
            }
        ],
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(entry: Entry) -> Plain:
    page = url(entry.code, entry.name)
    return {
        "id": entry.code,
        "name": "".join(part.capitalize() for part in entry.name.split("-")),
        "shortDescription": {"text": entry.summary},
        "fullDescription": {"text": entry.summary},
        "help": {"text": f"{entry.summary}\n{page}", "markdown": f"{entry.summary}\n\n[{entry.name}]({page})"},
        "helpUri": page,
        "defaultConfiguration": {"enabled": entry.default, "level": LEVELS[entry.severity]},
        "properties": {"tags": ["performance", "pytorch", entry.family]},
    }


def _result(finding: Finding, rule: int, outcome: Outcome) -> Plain:
    result: Plain = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [_location(finding.path, finding.cell, finding.span)],
        "partialFingerprints": {"torchperfLint/v1": finding.fingerprint},
        "properties": {"confidence": str(finding.confidence)},
    }
    if (impact := impact_plain(finding.impact, outcome.traced.get(finding.fingerprint))) is not None:
        result["properties"]["impact"] = impact
    if finding.fingerprint in outcome.verified:
        result["properties"]["verified"] = outcome.verified[finding.fingerprint]
    if finding.because:
        result["relatedLocations"] = [_related(note, number) for number, note in enumerate(finding.because, 1)]
    if finding.also:
        first = len(finding.because) + 1
        notes = [Note("waits as well", each.path, each.line, each.column, each.cell) for each in finding.also]
        result.setdefault("relatedLocations", []).extend(
            _related(note, number) for number, note in enumerate(notes, first)
        )
    if finding.fix and finding.fix.safety > Safety.SHOWN and finding.cell is None:
        result["fixes"] = [_fix(finding.fix)]
    return result


def _related(note: Note, number: int) -> Plain:
    start = Place(note.line, note.column)
    return {"id": number, "message": {"text": note.message}, **_location(note.path, note.cell, Span(start, start))}


def _location(path: str, cell: int | None, span: Span) -> Plain:
    location: Plain = {"physicalLocation": {"artifactLocation": _artifact(path), "region": _region(span)}}
    if cell is not None:  # its lines are those of the cell, not of the file
        location["logicalLocations"] = [{"name": f"cell {cell}"}]
    return location


def _artifact(path: str) -> Plain:
    if Path(path).is_absolute():
        return {"uri": Path(path).as_uri()}
    return {"uri": quote(path.encode("utf-8", "surrogateescape")), "uriBaseId": ROOT}


def _region(span: Span) -> Plain:
    return {
        "startLine": span.start.line,
        "startColumn": span.start.column,
        "endLine": span.end.line,
        "endColumn": span.end.column,
    }


def _fix(fix: Fix[TextEdit]) -> Plain:
    by_path = groupby(sorted(fix.edits, key=lambda edit: (edit.path, edit.span)), key=lambda edit: edit.path)
    changes = [
        {"artifactLocation": _artifact(path), "replacements": _replacements(list(edits))} for path, edits in by_path
    ]
    return {"description": {"text": f"{fix.title} ({fix.safety})"}, "artifactChanges": changes}


def _replacements(edits: Sequence[TextEdit]) -> list[Plain]:
    return [{"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.content}} for edit in edits]


def _notification(failure: Failure) -> Plain:
    location = {"physicalLocation": {"artifactLocation": _artifact(failure.path)}}
    return {"level": "error", "message": {"text": failure.message}, "locations": [location]}
