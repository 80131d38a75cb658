"""Lines and columns for a lowered tree, as `ast.parse` counts them, where that tree is the only one there is.

A node stands where its LibCST node stands, but for the few that Python measures with their brackets.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from torchperf_lint.syntax.pieces import Piece


def give_positions(piece: Piece) -> None:
    """Write the positions into the nodes of a piece that holds the whole text."""
    pairs = piece.lowered.pairs
    family = _family(piece.lowered.root)
    for _, node in reversed(family):
        origin = pairs.get(node)
        children = [child for child in ast.iter_child_nodes(node) if hasattr(child, "lineno")]
        if "lineno" not in node._attributes:
            continue
        if origin is not None:
            _put(piece, node, *_extent(piece, node, origin))
        elif children:
            _copy(node, children[0], children[-1])
    for parent, node in family:
        if "lineno" in node._attributes and not hasattr(node, "lineno"):
            _copy(node, parent, parent)


def _family(root: ast.AST) -> list[tuple[ast.AST, ast.AST]]:
    """Every node below one with the node above it, those above first."""
    found = [(root, root)]
    for _, node in found:  # it grows while it is read
        found.extend((node, child) for child in ast.iter_child_nodes(node))
    return found[1:]


def _put(piece: Piece, node: ast.AST, start: int, end: int) -> None:
    for offset, line, column in ((start, "lineno", "col_offset"), (end, "end_lineno", "end_col_offset")):
        place = piece.source.place(offset)
        before = piece.source.text[offset - place.column + 1 : offset]
        setattr(node, line, place.line)
        setattr(node, column, len(before.encode()))


def _copy(node: ast.AST, first: ast.AST, last: ast.AST) -> None:
    """What has no LibCST node of its own stands where its children stand, or what it is part of."""
    for name in ("lineno", "col_offset"):
        setattr(node, name, getattr(first, name))
        setattr(node, f"end_{name}", getattr(last, f"end_{name}"))


def _extent(piece: Piece, node: ast.AST, origin: cst.CSTNode) -> tuple[int, int]:
    start, end = piece.extent(origin)
    match origin:
        case cst.Tuple(lpar=[*_, left], rpar=[right, *_]) | cst.MatchTuple(lpar=[*_, left], rpar=[right, *_]):
            return piece.extent(left)[0], piece.extent(right)[1]
        case cst.GeneratorExp(lpar=[*_, left], rpar=[right, *_]):
            return piece.extent(left)[0], piece.extent(right)[1]
        case cst.GeneratorExp():  # the only argument of a call, whose brackets serve for both
            text = piece.source.text
            return text.rindex("(", 0, start), text.index(")", end) + 1
        case cst.Param(name=name, annotation=annotation):
            last = name if annotation is None else annotation.annotation
            return piece.extent(name)[0], piece.extent(last)[1]
        case cst.Arg(value=value) if not isinstance(node, ast.Starred):
            return start, _closed(piece, value)
        case _:
            return start, end


def _closed(piece: Piece, node: cst.BaseExpression) -> int:
    """Where an expression ends, with its own brackets."""
    return piece.extent(node.rpar[-1] if node.rpar else node)[1]
