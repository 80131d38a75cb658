"""Inverses of triangles that are multiplied: `torch.inverse(torch.linalg.cholesky(a)) @ b`; solving does half of that.

Knows syntax, and which operations give a triangle.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import definitions
from torchperf_lint.rules.fusion.dearer_op_than_needed import operation, products
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

INVERTING: Final = frozenset(("inverse", "inv", "solve_triangular"))
_TRIANGLES: Final = frozenset(("cholesky", "tril", "triu"))


def inverted_to_multiply(facts: Facts, node: ast.AST) -> Form | None:
    """A product whose first factor is the inverse of a triangle."""
    factors = products.factors_of(facts, node)
    inverse = operation.of(facts.module, operation.made(facts, factors[0])) if factors is not None else None
    if inverse is None or not isinstance(node, ast.expr):
        return None
    said = "the inverse of a triangle is made to be multiplied: `solve_triangular` gives the product"
    if inverse.name == "solve_triangular" and inverse.rest:
        made = operation.of(facts.module, _bound(facts, inverse.rest[0]))
        return Form(node, said, None, inverse.tensor) if made is not None and made.name == "eye" else None
    if inverse.name not in ("inverse", "inv") or not _is_triangle(facts, inverse.tensor):
        return None
    return Form(node, said, None, inverse.tensor)


def _is_triangle(facts: Facts, node: ast.expr) -> bool:
    made = operation.of(facts.module, _bound(facts, node))
    return made is not None and made.name in _TRIANGLES


def _bound(facts: Facts, node: ast.expr) -> ast.expr:
    """What an expression is, with a name followed to the one thing that it is bound to."""
    return (definitions.definition(facts.module, node) or node) if isinstance(node, ast.Name) else node
