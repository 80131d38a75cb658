"""LibCST's tree -> the very tree that `ast.parse` makes of the same text.

It serves twice. Where this Python is too old for a file, what is made here is the only tree that facts can stand on.
Everywhere else it tells which LibCST node and which `ast` node are the same piece of code: lowered trees and parsed
ones are equal, node by node, so that walking both at once pairs them.

The parts are `lower_statements`, `lower_expressions`, `lower_strings` and `lower_patterns`. Knows no positions.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

import libcst as cst

from torchperf_lint.syntax import lower_expressions, lower_patterns, lower_statements, lower_strings  # noqa: F401
from torchperf_lint.syntax.lowering import Lowering, lowers


@dataclass(frozen=True, slots=True)
class Lowered:
    """A tree of `ast` nodes, with where each came from."""

    root: ast.Module
    pairs: dict[ast.AST, cst.CSTNode]
    needs: tuple[int, int]
    """The oldest Python that can read the text, as far as its nodes tell; f-strings do not."""


@lowers(cst.Module)
def _module(to: Lowering, node: cst.Module) -> ast.Module:
    return ast.Module(to.body(node), [])


def lower(module: cst.Module) -> Lowered:
    """The tree that `ast.parse` would make of the same text."""
    to = Lowering()
    return Lowered(to.node(module), to.pairs, to.needs)
