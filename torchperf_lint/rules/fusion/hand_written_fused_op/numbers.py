"""Numbers as formulas have them, and products as numbers times the rest. Knows syntax and names."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING

from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    from torchperf_lint.facts.index.module import Module

DEEP = 8
"""So deep a formula is read."""
LARGEST, LARGEST_POWER = 1 << 20, 8
"""Formulas have small numbers; larger ones could take long."""


def number(module: Module, node: ast.expr, deep: int = DEEP) -> float | None:
    """The number that is written: `math.sqrt(2 / math.pi)`, `2 ** -0.5`."""
    if not deep:
        return None
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return float(value)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            found = number(module, operand, deep - 1)
            return None if found is None else -found
        case ast.Attribute(attr="pi"):
            return math.pi
        case ast.Name():
            bound = definitions.definition(module, node)
            return number(module, bound, deep - 1) if bound is not None else None
        case ast.Call(args=[of], keywords=[]) if last_name(node.func) == "sqrt":
            found = number(module, of, deep - 1)
            return math.sqrt(found) if found is not None and found >= 0 else None
        case ast.Call(args=[of]) if last_name(node.func) in ("tensor", "as_tensor", "Tensor", "float"):
            return number(module, of.elts[0] if isinstance(of, ast.List) and len(of.elts) == 1 else of, deep - 1)
        case ast.BinOp(left=left, op=op, right=right):
            return _computed(number(module, left, deep - 1), op, number(module, right, deep - 1))
    return None


def _computed(left: float | None, op: ast.operator, right: float | None) -> float | None:
    if left is None or right is None:
        return None
    match op:
        case ast.Mult():
            return left * right
        case ast.Div():
            return left / right if right else None
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Pow() if 0 < left < LARGEST and abs(right) < LARGEST_POWER:
            return float(left**right)
    return None


def factors(module: Module, node: ast.expr, *, stop: ast.expr | None = None) -> tuple[float, list[ast.expr]]:
    """A product as a number and the rest; `stop` is a factor whatever it is."""
    found = number(module, node) if node is not stop else None
    if found is not None:
        return found, []
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=right) if node is not stop:
            (one, these), (other, those) = factors(module, left, stop=stop), factors(module, right, stop=stop)
            return one * other, [*these, *those]
        case ast.BinOp(left=left, op=ast.Div(), right=right) if node is not stop:
            by = number(module, right)
            if by:
                scale, parts = factors(module, left, stop=stop)
                return scale / by, parts
    return 1.0, [node]
