"""A finding as plain data and back: what the JSON report, the cache and the workers of a run share.

The plain form is the contract of the JSON report, so nothing is lost on the way and there is one form to know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from torchperf_lint.model.finding import Confidence, Finding, Fix, Note, Safety, Severity, TextEdit
from torchperf_lint.syntax.source import Place, Span

PAGES: Final = "https://github.com/torchperf-lint/torchperf-lint/blob/main/rules_docs"

Plain = dict[str, Any]


def url(code: str, name: str) -> str:
    """Where the page of a rule is."""
    return f"{PAGES}/{code}-{name}.md"


def to_plain(finding: Finding, verified: Mapping[str, Any] | None = None) -> Plain:
    """A finding as the JSON report shows it, with what was measured of it."""
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "severity": str(finding.severity),
        "confidence": str(finding.confidence),
        "path": finding.path,
        "cell": finding.cell,
        **_span(finding.span),
        "url": url(finding.code, finding.name),
        "fingerprint": finding.fingerprint,
        "because": [
            {"message": note.message, "path": note.path, "cell": note.cell, "line": note.line, "column": note.column}
            for note in finding.because
        ],
        "fix": _fix(finding.fix) if finding.fix else None,
        "verified": verified,
    }


def from_plain(plain: Plain) -> Finding:
    """The finding that a plain form shows; a `KeyError`, `TypeError` or `ValueError` where it shows none."""
    return Finding(
        code=plain["code"],
        name=plain["name"],
        message=plain["message"],
        severity=Severity[plain["severity"].upper()],
        confidence=Confidence(plain["confidence"]),
        path=plain["path"],
        span=_read_span(plain),
        fingerprint=plain["fingerprint"],
        because=tuple(Note(**note) for note in plain["because"]),
        fix=_read_fix(plain["fix"]) if plain["fix"] else None,
        cell=plain["cell"],
    )


def _fix(fix: Fix[TextEdit]) -> Plain:
    edits = [{"path": edit.path, "cell": edit.cell, **_span(edit.span), "content": edit.content} for edit in fix.edits]
    return {"title": fix.title, "safety": str(fix.safety), "edits": edits}


def _read_fix(plain: Plain) -> Fix[TextEdit]:
    edits = tuple(
        TextEdit(path=edit["path"], span=_read_span(edit), content=edit["content"], cell=edit["cell"])
        for edit in plain["edits"]
    )
    return Fix(plain["title"], edits, Safety[plain["safety"].upper()])


def _span(span: Span) -> Plain:
    return {"start": _place(span.start), "end": _place(span.end)}


def _place(place: Place) -> Plain:
    return {"line": place.line, "column": place.column}


def _read_span(plain: Plain) -> Span:
    return Span(Place(**plain["start"]), Place(**plain["end"]))
