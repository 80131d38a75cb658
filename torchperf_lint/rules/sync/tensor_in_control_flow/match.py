"""Whether the two sides of a choice between tensors have one dtype."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index.walk import walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_WHOLE: Final = frozenset(("int64", "int32", "int16", "int8", "uint8", "integral", "bool"))


def may_promote(facts: Facts, then: ast.AST, other: ast.AST) -> bool:
    """Whether one side may hold whole numbers and the other floats, which `torch.where` makes of both at every step."""
    one, two = (facts.analysis.value(each, facts.module).dtype for each in (then, other))
    if one is not None and two is not None:
        return (one in _WHOLE) is not (two in _WHOLE)
    return _says_float(then) or _says_float(other)


def is_of_python(_: Facts, test: ast.AST) -> bool:
    """Whether Python, and not torch, puts a condition together: `a and b`, `not a`, `a < b < c`."""
    is_chain = isinstance(test, ast.Compare) and len(test.ops) > 1
    return is_chain or isinstance(test, (ast.BoolOp, ast.UnaryOp))


def is_worked_out(_: Facts, test: ast.AST) -> bool:
    """Whether a condition calls something, `x.mean() > 0`: names alone, `length < longest`, may as well be numbers."""
    return any(isinstance(each, ast.Call) for each in walk(test))


def begins_empty(facts: Facts, side: ast.AST) -> bool:
    """Whether a name is bound to a tensor of no elements somewhere in its function, `whole = torch.tensor([])`: it grows."""
    if not isinstance(side, ast.Name):
        return False
    stores = facts.module.function_of(side).scope.stores.get(side.id, ())
    bound = (facts.module.parents.get(each) for each in stores)
    return any(isinstance(each, ast.Assign) and _is_empty(each.value) for each in bound)


def _is_empty(made: ast.expr) -> bool:
    match made:
        case (
            ast.Call(args=[ast.List(elts=[]) | ast.Constant(value=0), *_])
            | ast.Call(func=ast.Attribute(attr="empty"), args=[])
        ):
            return True
    return False


def _says_float(side: ast.AST) -> bool:
    """Whether a call is given a float: `x.clamp(0.0, n)` of whole numbers gives floats."""
    return isinstance(side, ast.Call) and any(
        isinstance(each, ast.Constant) and isinstance(each.value, float) for each in side.args
    )
