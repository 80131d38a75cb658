"""The names of each function: where they are bound and where they are read."""

from __future__ import annotations

import ast
from typing import Final

_LOAD: Final = ast.Load
"""Compiled, a constant of the module is there at once, an attribute of `ast` is not."""


Turn = tuple[tuple[int, int], ast.AST, bool]
"""A place that binds an attribute, as line and column and as node, and whether only its own method sees what it binds."""


class Scope:
    """The names of a function: where each is bound and where it is read, in the order of the source."""

    __slots__ = ("imports", "loads", "outer", "stores")

    def __init__(self) -> None:
        self.stores: dict[str, list[ast.AST]] = {}
        self.loads: dict[str, list[ast.Name]] = {}
        self.outer: set[str] = set()
        """Names declared `global` or `nonlocal`."""
        self.imports: dict[str, str | None] = {}
        """Of names that somebody has asked about: what they stand for, if they are imported."""

    def bind(self, name: str, node: ast.AST) -> None:
        self.stores.setdefault(name, []).append(node)

    def see(self, node: ast.Name, in_class: bool) -> None:
        """Write down a name that is read, or bound; what the body of a class binds is not a name of the function."""
        if node.ctx.__class__ is _LOAD:
            table: dict[str, list[ast.Name]] = self.loads
        elif in_class:
            return
        else:
            table = self.stores  # type: ignore[assignment]
        found = table.get(node.id)
        if found is None:
            table[node.id] = [node]
        else:
            found.append(node)
