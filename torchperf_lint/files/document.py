"""A file as one text to lint and to fix, whether it is a module or a notebook.

Knows how bytes become a text and a fixed text becomes bytes; what is found in the text is for the engine.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from torchperf_lint.model.catalogue import DOES_NOT_PARSE, by_code
from torchperf_lint.model.finding import Confidence, Finding
from torchperf_lint.syntax.digest import digest
from torchperf_lint.syntax.encoding import Decoded, UndecodableError, decode, mended
from torchperf_lint.syntax.source import Place, Source, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from torchperf_lint.files.notebook import Notebook
    from torchperf_lint.files.notebook_program import Program
    from torchperf_lint.model.known import KnownLine

    Lint = Callable[[Source], list[Finding]]

NOTEBOOK: Final = ".ipynb"


class UnreadableError(Exception):
    """A file that is no text of Python at all, as the finding that says so."""

    def __init__(self, path: str, message: str, at: Place) -> None:
        super().__init__(message)
        entry = by_code()[DOES_NOT_PARSE]
        self.finding = Finding(
            code=entry.code,
            name=entry.name,
            message=message,
            severity=entry.severity,
            confidence=Confidence.PROVEN,
            path=path,
            span=Span(at, at),
            fingerprint="v1:" + digest([entry.code.encode(), os.fsencode(path)]),
        )


class Document(Protocol):
    """A file that has been opened."""

    @property
    def text(self) -> str:
        """All its Python as one text."""

    @property
    def broken(self) -> tuple[Finding, ...]:
        """What is found in the file though it is not in the text: cells that do not parse."""

    def lint(self, source: Source) -> list[Finding]:
        """What is found in the text, or in a fixed state of it; the fixes can be applied to it."""

    def located(self, findings: Iterable[Finding]) -> list[Finding]:
        """Findings in the text as findings in the file."""

    def located_lines(self, lines: Iterable[KnownLine], path: str) -> list[KnownLine]:
        """What is known of lines of the text as what is known of lines of the file."""

    @property
    def texts(self) -> dict[int | None, str]:
        """Its Python by the number of the cell; of a module the one text, which is of no cell."""

    def with_text(self, text: str) -> bytes:
        """The file with a fixed text; raises `ValueError` where it cannot hold that."""


def opened(data: bytes, path: str, lint: Lint) -> Document:
    """The document that some bytes are; `path` is what reports call it."""
    if path.endswith(NOTEBOOK):
        return _opened_notebook(data, path, lint)
    try:
        return _Module(data, decode(data), lint)
    except UndecodableError as error:
        raise UnreadableError(path, str(error), Place(error.line, 1)) from None


def _opened_notebook(data: bytes, path: str, lint: Lint) -> Document:
    from torchperf_lint.files import notebook
    from torchperf_lint.files.notebook_program import program

    try:
        found = notebook.read(data)
    except notebook.NotANotebookError as error:
        raise UnreadableError(path, str(error), Place(error.line, error.column)) from None
    return _Cells(found, program(found.cells, path, lint), lint)


@dataclass(frozen=True)
class _Module:
    data: bytes
    decoded: Decoded
    lint: Lint
    broken: tuple[Finding, ...] = ()

    @property
    def text(self) -> str:
        return self.decoded.text

    def located(self, findings: Iterable[Finding]) -> list[Finding]:
        return list(findings)

    def located_lines(self, lines: Iterable[KnownLine], _: str) -> list[KnownLine]:
        return list(lines)

    @property
    def texts(self) -> dict[int | None, str]:
        return {None: self.text}

    def with_text(self, text: str) -> bytes:
        return mended(self.data, self.decoded, text)


@dataclass(frozen=True)
class _Cells:
    notebook: Notebook
    program: Program
    engine: Lint

    @property
    def text(self) -> str:
        return self.program.text

    @property
    def broken(self) -> tuple[Finding, ...]:
        return self.program.broken

    def lint(self, source: Source) -> list[Finding]:
        return self.program.within_cells(source, self.engine(source))

    def located(self, findings: Iterable[Finding]) -> list[Finding]:
        return self.program.located(findings)

    def located_lines(self, lines: Iterable[KnownLine], path: str) -> list[KnownLine]:
        return self.program.located_lines(lines, path)

    @property
    def texts(self) -> dict[int | None, str]:
        return {cell.number: cell.text for cell in self.notebook.cells}

    def with_text(self, text: str) -> bytes:
        return self.notebook.with_texts(self.program.texts(text))
