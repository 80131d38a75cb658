"""Which expressions are masks by their look: comparisons, and what is made of them, whatever is compared.

mask = (ids != pad) & (ids > 0)        of `ids` nothing is known
rows = x[mask.squeeze(-1)]             but `mask` is one: nobody picks from a tensor by a bool of Python

Knows syntax and where names are bound.
"""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.module import Module

_OPS: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_BITS: Final = (ast.BitAnd, ast.BitOr, ast.BitXor)
_SHAPED: Final = frozenset(
    ("squeeze", "unsqueeze", "view", "reshape", "flatten", "expand", "transpose", "permute", "any", "all", "bool")
)
"""Methods of a mask that give one."""
_DEEP: Final = 4


def is_mask(module: Module, node: ast.AST | None, depth: int = _DEEP) -> bool:
    """Whether an expression is a comparison, or made of some."""
    if depth == 0:
        return False
    match node:
        case ast.Compare(ops=[op], comparators=[right]):
            return isinstance(op, _OPS) and not _is_word(node.left) and not _is_word(right)
        case ast.BinOp(op=op, left=left, right=right) if isinstance(op, _BITS):
            return is_mask(module, left, depth - 1) or is_mask(module, right, depth - 1)
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            return is_mask(module, operand, depth - 1)
        case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in _SHAPED:
            return is_mask(module, value, depth - 1)
        case ast.Name():
            return is_mask(module, definitions.definition(module, node), depth - 1)
    return False


def _is_word(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, str))
