"""The loom of `lower`: what all of its parts share, and the table in which each says which nodes it lowers.

Knows no node by itself.
"""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

import libcst as cst

Maker = Callable[["Lowering", Any], ast.AST]
F = TypeVar("F", bound=Callable[..., ast.AST])

_MAKERS: Final[dict[type[cst.CSTNode], Maker]] = {}

LOAD: Final = ast.Load()
STORE: Final = ast.Store()
DEL: Final = ast.Del()


def lowers(*kinds: type[cst.CSTNode]) -> Callable[[F], F]:
    """Declare that a function makes the `ast` node for these kinds of LibCST nodes."""

    def declare(maker: F) -> F:
        _MAKERS.update(dict.fromkeys(kinds, maker))
        return maker

    return declare


class Lowering:
    """One tree that is being lowered."""

    def __init__(self) -> None:
        self.pairs: dict[ast.AST, cst.CSTNode] = {}
        """Where each `ast` node came from; what stands for several LibCST nodes came from the outermost."""
        self.needs = (3, 0)
        """The oldest Python that can read the text."""

    def node(self, node: cst.CSTNode) -> Any:
        """The `ast` node for a LibCST node."""
        made = _MAKERS[node.__class__](self, node)
        self.pairs[made] = node
        return made

    def optional(self, node: cst.CSTNode | None) -> Any:
        return None if node is None else self.node(node)

    def nodes(self, nodes: Iterable[cst.CSTNode]) -> list[Any]:
        return [self.node(node) for node in nodes]

    def bound(self, node: cst.CSTNode, context: ast.expr_context = STORE) -> Any:
        """The `ast` node for what is assigned to, or deleted."""
        made = self.node(node)
        _bind(made, context)
        return made

    def body(self, suite: cst.CSTNode | None) -> list[ast.stmt]:
        """The statements of a block, or of nothing."""
        if suite is None:
            return []
        lines: Sequence[cst.CSTNode] = suite.body  # type: ignore[attr-defined]
        made: list[ast.stmt] = []
        for line in lines:
            if line.__class__ is cst.SimpleStatementLine:
                made += self.nodes(line.body)
            else:
                made.append(self.node(line))
        return made

    def require(self, major: int, minor: int) -> None:
        self.needs = max(self.needs, (major, minor))


def _bind(node: ast.AST, context: ast.expr_context) -> None:
    """Say of a target, and of what it is made of, what happens to it."""
    if isinstance(node, (ast.Tuple, ast.List)):
        for element in node.elts:
            _bind(element, context)
    elif isinstance(node, ast.Starred):
        _bind(node.value, context)
    if "ctx" in node._fields:
        node.ctx = context  # type: ignore[attr-defined]


def identifier(name: str) -> str:
    """A name as Python compares it."""
    return name if name.isascii() else unicodedata.normalize("NFKC", name)


def dotted(node: cst.BaseExpression) -> str:
    """`a.b.c` of an import, without its blanks."""
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    assert isinstance(node, cst.Name)
    return ".".join(identifier(part) for part in (node.value, *reversed(parts)))
