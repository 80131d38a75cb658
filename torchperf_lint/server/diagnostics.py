"""Findings as an editor shows them: a mark in the text, with the evidence as places to go to.

Every part of a document gets its list, an empty one too, so that no mark outlives its finding.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls import uris

from torchperf_lint.model.catalogue import UNUSED_SUPPRESSION
from torchperf_lint.model.finding import Severity
from torchperf_lint.model.record import url
from torchperf_lint.server.positions import Positions
from torchperf_lint.syntax.source import Place, Source

if TYPE_CHECKING:
    from torchperf_lint.model.finding import Finding, Note
    from torchperf_lint.server.documents import Document, Documents, Part

SOURCE: Final = "torchperf-lint"
SEVERITIES: Final = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}


class Diagnostics:
    """What is said of documents, in a form that the editor can show."""

    def __init__(self, documents: Documents, *, related: bool) -> None:
        self._documents = documents
        self._related = related
        """Whether the editor shows places that belong to a diagnostic; else the message tells of them."""

    def of(self, document: Document) -> list[types.PublishDiagnosticsParams]:
        """What is to be published of a document."""
        found = document.linted.findings if document.linted is not None else ()
        return [
            types.PublishDiagnosticsParams(
                uri=part.uri,
                diagnostics=[self.diagnostic(each, document) for each in found if each.cell == cell],
                version=part.version,
            )
            for cell, part in document.numbered()
        ]

    def diagnostic(self, finding: Finding, document: Document) -> types.Diagnostic:
        related, message = None, finding.message
        if self._related:
            related = [
                types.DiagnosticRelatedInformation(self._location(note, document), note.message)
                for note in finding.because
            ]
        else:
            message = "\n".join([message, *(f"{_where(note, finding)}: {note.message}" for note in finding.because)])
        return types.Diagnostic(
            range=self._documents.positions(document.part(finding.cell)).range(finding.span),
            message=message,
            severity=SEVERITIES[finding.severity],
            code=finding.code,
            code_description=types.CodeDescription(url(finding.code, finding.name)),
            source=SOURCE,
            tags=[types.DiagnosticTag.Unnecessary] if finding.code == UNUSED_SUPPRESSION else None,
            related_information=related,
        )

    def _location(self, note: Note, document: Document) -> types.Location:
        home = document if Path(note.path) == document.path else self._documents.at(Path(note.path))
        place = Place(note.line, note.column)
        if home is None:  # a file that is not open: only its ASCII part is counted right
            position = types.Position(place.line - 1, place.column - 1)
            return types.Location(uris.from_fs_path(note.path) or "", types.Range(position, position))
        part: Part = home.part(note.cell)
        position = Positions(Source(part.text), self._documents.encoding).position(place)
        return types.Location(part.uri, types.Range(position, position))


def _where(note: Note, finding: Finding) -> str:
    file = "" if note.path == finding.path else f"{Path(note.path).name}, "
    cell = f"cell {note.cell}, " if note.cell not in (None, finding.cell) else ""
    return f"{file}{cell}line {note.line}"
