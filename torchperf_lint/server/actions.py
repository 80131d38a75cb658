"""What an editor offers at a place: the fix of a finding, a comment that silences it, all safe fixes of the file.

The fixes came with the findings, so offering them lints nothing. They are of the text as it was linted: where it has
been typed in since, nothing is offered until it is linted again.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from torchperf_lint.fixes.add_ignores import with_ignores
from torchperf_lint.model.catalogue import OWN
from torchperf_lint.model.finding import Safety, TextEdit
from torchperf_lint.syntax.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from torchperf_lint.model.finding import Finding
    from torchperf_lint.server.diagnostics import Diagnostics
    from torchperf_lint.server.documents import Document, Documents, Part

FIX_ALL: Final = "source.fixAll.torchperf-lint"
KINDS: Final = (types.CodeActionKind.QuickFix, FIX_ALL)
SAFETY: Final = {Safety.SAFE: "safe", Safety.UNSAFE: "unsafe: results can differ"}
_OWN: Final = frozenset(entry.code for entry in OWN)

PartEdits = list[tuple["Part", list[types.TextEdit]]]


class Actions:
    """The actions on documents."""

    def __init__(self, documents: Documents, diagnostics: Diagnostics, *, versioned: bool) -> None:
        self._documents = documents
        self._diagnostics = diagnostics
        self._versioned = versioned
        """Whether the editor takes edits of a version, and refuses them once there is another one."""

    def at(
        self, document: Document, uri: str, wanted: types.Range, only: Sequence[str] | None
    ) -> list[types.CodeAction]:
        """The actions for a stretch of a document or of one of its cells."""
        named = document.named(uri)
        if document.linted is None or not document.is_current or named is None:
            return []
        cell, part = named
        positions = self._documents.positions(part)
        span = Span(positions.place(wanted.start), positions.place(wanted.end))
        found = document.linted.findings
        here = [each for each in found if each.cell == cell and _meet(each.span, span)]
        actions: list[types.CodeAction] = []
        if _asks(only, types.CodeActionKind.QuickFix):
            actions += [action for each in here for action in self._quick(each, document)]
        if _asks(only, FIX_ALL) and any(each.fix and each.fix.safety is Safety.SAFE for each in found):
            actions.append(types.CodeAction("Fix all that is safe to fix", kind=FIX_ALL, data=document.uri))
        return actions

    def fixed(self, document: Document, texts: Mapping[int | None, str]) -> types.WorkspaceEdit:
        """The edit that gives the parts of a document other texts."""
        edits = []
        for cell, part in document.numbered():
            if texts.get(cell, part.text) != part.text:
                positions = self._documents.positions(part)
                changes = [types.TextEdit(positions.range(span), new) for span, new in _changes(part.text, texts[cell])]
                edits.append((part, changes))
        return self._edit(edits)

    def _quick(self, finding: Finding, document: Document) -> Iterator[types.CodeAction]:
        diagnostic = self._diagnostics.diagnostic(finding, document)
        fix = finding.fix
        if fix is not None and fix.safety in SAFETY and all(edit.path == finding.path for edit in fix.edits):
            yield types.CodeAction(
                f"{fix.title} ({finding.code}, {SAFETY[fix.safety]})",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[diagnostic],
                is_preferred=fix.safety is Safety.SAFE,
                edit=self._edit_of(fix.edits, document),
            )
        if finding.code not in _OWN:
            part = document.part(finding.cell)
            changes = _changes(part.text, with_ignores(part.text, [finding], ""))
            positions = self._documents.positions(part)
            edits = [types.TextEdit(positions.range(span), new) for span, new in changes]
            yield types.CodeAction(
                f"Ignore {finding.code} ({finding.name}) here",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[diagnostic],
                edit=self._edit([(part, edits)]),
            )

    def _edit_of(self, edits: Sequence[TextEdit], document: Document) -> types.WorkspaceEdit:
        found: PartEdits = []
        for cell, part in document.numbered():
            positions = self._documents.positions(part)
            own = [types.TextEdit(positions.range(edit.span), edit.content) for edit in edits if edit.cell == cell]
            found += [(part, own)] if own else []
        return self._edit(found)

    def _edit(self, edits: PartEdits) -> types.WorkspaceEdit:
        if not self._versioned:
            return types.WorkspaceEdit(changes={part.uri: changes for part, changes in edits})
        return types.WorkspaceEdit(
            document_changes=[
                types.TextDocumentEdit(
                    types.OptionalVersionedTextDocumentIdentifier(uri=part.uri, version=part.version), changes
                )
                for part, changes in edits
            ]
        )


def _changes(old: str, new: str) -> list[tuple[Span, str]]:
    """What is to be replaced by what, line by line, so that cursors and folds elsewhere stay."""
    source = Source(old)
    lines, others = _lines(source), _lines(Source(new))
    steps = difflib.SequenceMatcher(None, lines, others, autojunk=False).get_opcodes()
    return [
        (
            Span(source.place(sum(map(len, lines[:first]))), source.place(sum(map(len, lines[:last])))),
            "".join(others[a:b]),
        )
        for what, first, last, a, b in steps
        if what != "equal"
    ]


def _lines(source: Source) -> list[str]:
    """The lines of a text with their ends."""
    ends = [*source.starts[1:], len(source.text)]
    return [source.text[start:end] for start, end in zip(source.starts, ends, strict=True)]


def _meet(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end


def _asks(only: Sequence[str] | None, kind: str) -> bool:
    """Whether a kind of action is asked for: it or one that it belongs to is named, or none is."""
    return not only or any(kind == each or kind.startswith(f"{each}.") for each in only)
