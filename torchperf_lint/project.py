"""The files around the one that is linted: what its imports name, read when a fact needs it.

Only files of the same project are read, never an installed package: those next to the file, in its package, or in a
folder above it up to the root. Outlines are kept from file to file; which ones a file needed is written down, so that
a cache can tell when its answer is stale. Knows nothing of facts but the outline.
"""

from __future__ import annotations

import ast
from collections import OrderedDict
from pathlib import Path
from typing import Final

from torchperf_lint.encoding import UndecodableError, decode
from torchperf_lint.facts.program import Module

LARGEST: Final = 1_000_000
"""Bytes; a larger file is data or was generated."""
KEPT: Final = 64
"""So many outlines are kept."""
UP: Final = 6
"""So many folders above a file are looked into."""


class Project:
    """The outlines of a project's modules, by path."""

    def __init__(self, root: Path) -> None:
        self.root = root.absolute()
        self._kept: OrderedDict[Path, Module | None] = OrderedDict()
        self._places: dict[tuple[Path, str], Path | None] = {}

    def name_of(self, path: Path) -> str:
        """The dotted name under which a file is imported: its packages, as far as they have an `__init__.py`."""
        parts = [] if path.stem == "__init__" else [path.stem]
        folder = path.parent
        while (folder / "__init__.py").is_file() and folder != folder.parent:
            parts.append(folder.name)
            folder = folder.parent
        return ".".join(reversed(parts))

    def find(self, name: str, near: Path) -> Path | None:
        """The file that `import name` reads, seen from a file."""
        key = (near.parent, name)
        if key not in self._places:
            self._places[key] = self._search(name, near)
        return self._places[key]

    def _search(self, name: str, near: Path) -> Path | None:
        inside = Path(*name.split("."))
        folder = near.parent
        for _ in range(UP):
            for candidate in (folder / inside.with_suffix(".py"), folder / inside / "__init__.py"):
                if candidate != near and candidate.is_file():
                    return candidate
            if folder in (self.root, folder.parent):
                return None
            folder = folder.parent
        return None

    def load(self, path: Path) -> Module | None:
        """The outline of a file; None if it cannot be read or parsed."""
        if path in self._kept:
            self._kept.move_to_end(path)
            return self._kept[path]
        self._kept[path] = found = self._read(path)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found

    def _read(self, path: Path) -> Module | None:
        try:
            data = path.read_bytes()
            if len(data) > LARGEST:
                return None
            text = decode(data).text
            tree = ast.parse(text)
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError, UndecodableError):
            return None
        return Module(tree, str(path), self.name_of(path), text)


class Surroundings:
    """The project as one linted file sees it; remembers what was read for it."""

    def __init__(self, project: Project, path: Path) -> None:
        self._project = project
        self._path = path.absolute()
        self.read: set[Path] = set()

    def module(self, name: str) -> Module | None:
        """The outline of the module that a dotted name stands for."""
        path = self._project.find(name, self._path)
        if path is None:
            return None
        self.read.add(path)
        return self._project.load(path)
