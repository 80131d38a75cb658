"""A finding as plain data and back: what the JSON report, the cache and the workers of a run share.

The plain form is the contract of the JSON report, so nothing is lost on the way and there is one form to know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from torchperf_lint.model.finding import Confidence, Finding, Fix, Note, Safety, Severity, Spot, TextEdit
from torchperf_lint.model.impact import Impact
from torchperf_lint.syntax.source import Place, Span

PAGES: Final = "https://github.com/torchperf-lint/torchperf-lint/blob/main/rules_docs"

_LARGEST: Final = 10**9
"""No file that is read has more lines, columns or cells."""

Plain = dict[str, Any]


def url(code: str, name: str) -> str:
    """Where the page of a rule is."""
    return f"{PAGES}/{code}-{name}.md"


def to_plain(
    finding: Finding, verified: Mapping[str, Any] | None = None, traced: Mapping[str, Any] | None = None
) -> Plain:
    """A finding as the JSON report shows it, with what was measured of it and what a trace says."""
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
        "also": [
            {"path": each.path, "cell": each.cell, "line": each.line, "column": each.column} for each in finding.also
        ],
        "impact": impact_plain(finding.impact, traced),
        "fix": _fix(finding.fix) if finding.fix else None,
        "verified": verified,
    }


def impact_plain(impact: Impact | None, traced: Mapping[str, Any] | None) -> Plain | None:
    """What is known of a finding's worth: what was measured of its rule, and what a trace of the program says."""
    if impact is None and traced is None:
        return None
    measured = impact.to_plain() if impact else _NOT_MEASURED
    return {**measured, "traced": traced}


_NOT_MEASURED: Final = {"metric": "step", "low": None, "high": None, "setting": "", "part": False}


def from_plain(plain: Plain) -> Finding:
    """The finding that a plain form shows; a `KeyError`, `TypeError` or `ValueError` where it shows none."""
    return Finding(
        code=_text(plain["code"]),
        name=_text(plain["name"]),
        message=_text(plain["message"]),
        severity=Severity[_text(plain["severity"]).upper()],
        confidence=Confidence(plain["confidence"]),
        path=_text(plain["path"]),
        span=_read_span(plain),
        fingerprint=_text(plain["fingerprint"]),
        because=tuple(map(_read_note, _list(plain["because"]))),
        also=tuple(map(_read_spot, _list(plain["also"]))),
        impact=Impact.from_plain(plain["impact"]) if plain["impact"] is not None else None,
        fix=_read_fix(plain["fix"]) if plain["fix"] is not None else None,
        cell=_cell(plain["cell"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= _LARGEST:
        raise ValueError("not a number of a line, a column or a cell")
    return value


def _cell(value: object) -> int | None:
    return None if value is None else _number(value)


def _read_note(plain: Plain) -> Note:
    message, path = _text(plain["message"]), _text(plain["path"])
    return Note(message, path, _number(plain["line"]), _number(plain["column"]), _cell(plain["cell"]))


def _read_spot(plain: Plain) -> Spot:
    return Spot(_text(plain["path"]), _number(plain["line"]), _number(plain["column"]), _cell(plain["cell"]))


def _fix(fix: Fix[TextEdit]) -> Plain:
    edits = [{"path": edit.path, "cell": edit.cell, **_span(edit.span), "content": edit.content} for edit in fix.edits]
    return {"title": fix.title, "safety": str(fix.safety), "edits": edits}


def _read_fix(plain: Plain) -> Fix[TextEdit]:
    edits = tuple(
        TextEdit(_text(edit["path"]), _read_span(edit), _text(edit["content"]), _cell(edit["cell"]))
        for edit in _list(plain["edits"])
    )
    return Fix(_text(plain["title"]), edits, Safety[_text(plain["safety"]).upper()])


def _span(span: Span) -> Plain:
    return {"start": _place(span.start), "end": _place(span.end)}


def _place(place: Place) -> Plain:
    return {"line": place.line, "column": place.column}


def _read_span(plain: Plain) -> Span:
    start, end = (Place(_number(plain[key]["line"]), _number(plain[key]["column"])) for key in ("start", "end"))
    if end < start:
        raise ValueError("a span that ends before it starts")
    return Span(start, end)
