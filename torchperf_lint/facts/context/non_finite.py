"""Conditions that hold only where something is not finite: what stands behind them repairs it, and runs in no usual step.

    if torch.isnan(loss).any(): ...
    found = torch.nonzero(torch.isinf(x))
    if len(found) > 0: ...
    if not torch.isfinite(boxes).all(): ...

Knows syntax and what names are bound to.
"""

from __future__ import annotations

import ast
from typing import Final

from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import last_name

_BAD: Final = frozenset(("isnan", "isinf", "isneginf", "isposinf"))
_ALL: Final = frozenset(("all", "item", "bool"))
_SOME: Final = frozenset(("any", "sum", "count_nonzero", "nonzero", "numel", "len", "item", "max", "bool", "int"))
"""What makes of a mask whether all of it, or any, holds, and what hands that on."""
_DEEP: Final = 3


def is_found(module: Module, test: ast.expr) -> bool:
    """Whether a condition holds only where there is a NaN or an infinity."""
    if not (_BAD | {"isfinite"}).intersection(module.calls):
        return False
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            return any(is_found(module, each) for each in values)
        case ast.BoolOp(values=values):
            return all(is_found(module, each) for each in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _says(module, operand, "isfinite", _DEEP)
        case ast.Compare(left=left, ops=[ast.Gt() | ast.NotEq()], comparators=[ast.Constant(value=0)]):
            return _says_bad(module, left)
    return _says_bad(module, test)


def _says_bad(module: Module, node: ast.expr) -> bool:
    return any(_says(module, node, name, _DEEP) for name in _BAD)


def _says(module: Module, node: ast.expr, name: str, deep: int) -> bool:
    """Whether a value is what a function of that name says, of one element, of some or of all of them."""
    match node:
        case ast.Name() if deep and (bound := definitions.definition(module, node)) is not None:
            return _says(module, bound, name, deep - 1)
        case ast.Attribute(value=value, attr="shape") | ast.Subscript(value=value):
            return _says(module, value, name, deep)
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() as both, right=right):
            joins = ast.BitAnd if name == "isfinite" else ast.BitOr
            return isinstance(both, joins) and all(_says(module, each, name, deep) for each in (left, right))
        case ast.Call(func=func, args=args):
            called = last_name(func)
            if called == name:
                return True
            if called not in (_ALL if name == "isfinite" else _SOME):
                return False
            owner = func.value if isinstance(func, ast.Attribute) else None
            given = [*args[:1], *([owner] if owner is not None else [])]
            return any(_says(module, each, name, deep) for each in given)
    return False
