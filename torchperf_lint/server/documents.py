"""What is open in the editor: modules, and notebooks as their cells, as they are typed.

Applies the changes that the editor tells of. What is found in them is for `session`, when for `follow`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls import uris

from torchperf_lint.files.document import NOTEBOOK
from torchperf_lint.server.positions import Positions, changed
from torchperf_lint.syntax.encoding import as_file
from torchperf_lint.syntax.source import Source

if TYPE_CHECKING:
    from torchperf_lint.server.session import Linted

PYTHON: Final = "python"
STUB: Final = ".pyi"
SCHEMES: Final = ("file", "untitled", "vscode-notebook-cell")
"""What is linted; an old version of a file in a view of differences is not."""

_ODD: Final = re.compile(r"[^\w.-]")


@dataclass
class Part:
    """A text that the editor has under a name of its own: a module, or a cell."""

    uri: str
    text: str
    version: int
    language: str = PYTHON


@dataclass
class Document:
    """A module or a notebook that is open."""

    uri: str
    path: Path
    parts: list[Part]
    """The cells of a notebook, those of prose and of other languages too; of a module the one text."""
    wanted: int = 1
    """Grows with each change of it, or of what it stands on."""
    done: int = 0
    """What of it `linted` speaks of."""
    touched: float = 0.0
    """When it was last typed in."""
    linted: Linted | None = None
    cells: list[types.NotebookCell] = field(default_factory=list)

    @property
    def is_notebook(self) -> bool:
        return self.path.suffix == NOTEBOOK

    @property
    def is_current(self) -> bool:
        """Whether what was found is of the text as it is."""
        return self.linted is not None and self.done == self.wanted

    @property
    def data(self) -> bytes:
        """The file as it would be saved, as far as that concerns the linter."""
        if not self.is_notebook:
            return as_file(self.parts[0].text)
        cells = [_cell(part) for part in self.parts]
        return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode("ascii")

    def numbered(self) -> Iterator[tuple[int | None, Part]]:
        """The parts, each with what findings say of where they are: the number of a cell."""
        yield from enumerate(self.parts, 1) if self.is_notebook else [(None, self.parts[0])]

    def named(self, uri: str) -> tuple[int | None, Part] | None:
        """The part that the editor calls so, and its number; None for a notebook's own name."""
        return next((each for each in self.numbered() if each[1].uri == uri), None)

    def part(self, cell: int | None) -> Part:
        """The part that findings call so."""
        return self.parts[(cell or 1) - 1]


def _cell(part: Part) -> dict[str, Any]:
    kind = "code" if part.language == PYTHON else "markdown"
    return {"cell_type": kind, "metadata": {}, "source": part.text}


class Documents:
    """All that is open."""

    def __init__(self) -> None:
        self.encoding = "utf-16"
        """What columns are counted in."""
        self.folder = Path.cwd()
        """Where a text that is in no file belongs."""
        self._open: dict[str, Document] = {}
        self._of_cell: dict[str, Document] = {}

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._open.values()))

    def get(self, uri: str) -> Document | None:
        """The document that is, or holds as a cell, what the editor calls so."""
        return self._open.get(uri) or self._of_cell.get(uri)

    def at(self, path: Path) -> Document | None:
        """The document of a file."""
        return next((each for each in self if each.path == path), None)

    def positions(self, part: Part) -> Positions:
        return Positions(Source(part.text), self.encoding)

    def add(self, item: types.TextDocumentItem) -> Document | None:
        """A module that was opened; None for what is not linted."""
        path = self._path(item.uri)
        if path is None or item.language_id != PYTHON or path.suffix in (STUB, NOTEBOOK):
            return None
        document = Document(item.uri, path, [Part(item.uri, item.text, item.version)])
        self._open[item.uri] = document
        return document

    def change(self, params: types.DidChangeTextDocumentParams) -> Document | None:
        document = self._open.get(params.text_document.uri)
        if document is not None and not document.is_notebook:
            self._apply(document.parts[0], params.text_document.version, params.content_changes)
        return document

    def close(self, uri: str) -> Document | None:
        document = self._open.pop(uri, None)
        for part in document.parts if document is not None else ():
            self._of_cell.pop(part.uri, None)
        return document

    def add_notebook(self, params: types.DidOpenNotebookDocumentParams) -> Document | None:
        """A notebook that was opened; cells of which the editor sends no text are not Python."""
        path = self._path(params.notebook_document.uri)
        if path is None:
            return None
        path = path if path.suffix == NOTEBOOK else path.with_name(f"{path.name}{NOTEBOOK}")
        document = Document(params.notebook_document.uri, path, [], cells=list(params.notebook_document.cells))
        self._open[document.uri] = document
        self._arrange(document, params.cell_text_documents)
        return document

    def change_notebook(self, params: types.DidChangeNotebookDocumentParams) -> Document | None:
        document = self._open.get(params.notebook_document.uri)
        cells = params.change.cells
        if document is None or not document.is_notebook or cells is None:
            return None
        if cells.structure is not None:
            array = cells.structure.array
            document.cells[array.start : array.start + array.delete_count] = array.cells or []
            self._arrange(document, cells.structure.did_open or [])
        known = {part.uri: part for part in document.parts}
        for content in cells.text_content or []:
            if content.document.uri in known:
                self._apply(known[content.document.uri], content.document.version, content.changes)
        return document

    def _arrange(self, document: Document, opened: Any) -> None:
        """Put the parts of a notebook into the order of its cells."""
        known = {part.uri: part for part in document.parts}
        known |= {each.uri: Part(each.uri, each.text, each.version, each.language_id) for each in opened}
        for part in document.parts:
            self._of_cell.pop(part.uri, None)
        document.parts = [known.get(cell.document) or Part(cell.document, "", 0, "") for cell in document.cells]
        self._of_cell.update(dict.fromkeys((part.uri for part in document.parts), document))

    def _apply(self, part: Part, version: int, changes: Any) -> None:
        for change in changes:
            part.text = changed(part.text, change, self.encoding)
        part.version = version

    def _path(self, uri: str) -> Path | None:
        """Where a document is; a text that is in no file gets a name that no file has."""
        scheme, rest = uri.partition(":")[::2]
        if scheme == "untitled":
            return self.folder / "<{}>".format(_ODD.sub("_", rest))
        found = uris.to_fs_path(uri) if scheme in SCHEMES else None
        return Path(found) if found and Path(found).is_absolute() else None
