"""The files around the one that is linted: what its imports name, read when a fact needs it.

Only files of the same project are read, never an installed package. Outlines are kept from file to file; which ones a
file needed is written down, so that a cache can tell when its answer is stale. Knows nothing of facts but the outline.
"""

from __future__ import annotations

import ast
import warnings
from collections import OrderedDict
from pathlib import Path
from typing import Final

from torchperf_lint.cache import digest
from torchperf_lint.encoding import UndecodableError, decode
from torchperf_lint.facts.program import Module
from torchperf_lint.imports import Imports, Reads
from torchperf_lint.syntax.guard import before_python
from torchperf_lint.syntax.source import Source, SyntaxFault

LARGEST: Final = 1_000_000
"""Bytes; a larger file is data or was generated."""
KEPT: Final = 64
"""So many outlines are kept."""


class Project:
    """The outlines of a project's modules, by path."""

    def __init__(self, root: Path) -> None:
        self.root = root.absolute()
        self.imports = Imports(self.root)
        self._kept: OrderedDict[Path, tuple[Module | None, str | None]] = OrderedDict()

    def name_of(self, path: Path) -> str:
        """The dotted name under which a file is imported."""
        return self.imports.name_of(path)

    def load(self, path: Path) -> tuple[Module | None, str | None]:
        """The outline of a file, None if it cannot be read or parsed, and a digest of the content it is of."""
        if path in self._kept:
            self._kept.move_to_end(path)
            return self._kept[path]
        self._kept[path] = found = self._read(path)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found

    def _read(self, path: Path) -> tuple[Module | None, str | None]:
        try:
            data = path.read_bytes()
        except OSError:
            return None, None
        return self._outline(path, data) if len(data) <= LARGEST else None, digest([data])

    def _outline(self, path: Path, data: bytes) -> Module | None:
        inside = path.relative_to(self.root) if path.is_relative_to(self.root) else path
        try:
            text = decode(data).text
            before_python(Source(text))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(text)
        except (SyntaxError, SyntaxFault, ValueError, RecursionError, MemoryError, UndecodableError):
            return None
        return Module(tree, inside.as_posix(), self.name_of(path), text)


class Surroundings:
    """The project as one linted file sees it; writes down what it was asked."""

    def __init__(self, project: Project, path: Path, reads: Reads | None = None) -> None:
        self._project = project
        self._path = path.absolute()
        self.reads = reads if reads is not None else Reads()
        self.reads.name = project.name_of(self._path)

    def module(self, name: str) -> Module | None:
        """The outline of the module that a dotted name stands for."""
        imports, first = self._project.imports, name.partition(".")[0]
        if not imports.has_trace(first, self._path):
            self.reads.absent.add(first)
            return None
        path = imports.find(name, self._path)
        module, content = self._project.load(path) if path is not None else (None, None)
        self.reads.found[name] = (str(path or ""), content)
        return module
