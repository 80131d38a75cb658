"""What comparisons of an option with constants give: `is None`, `== "mean"`, `> 0`, `in ("mish", "gelu")`."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable
from typing import Final, TypeGuard

from torchperf_lint.facts.index.walk import last_name

_ORDERED: Final[dict[type[ast.cmpop], Callable[[float, float], bool]]] = {
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
}
_SIZES: Final[tuple[str, ...]] = ("size", "len")
GIVEN: Final[object] = object()
"""Stands for a value of which nothing is known but that somebody gives it."""
SIZE: Final[object] = object()
"""Stands for a size of a tensor, or of what holds some: nobody means nothing by it."""


def constant(node: ast.expr) -> list[object] | None:
    """What an option is compared with, in a list; None where it is not written out. Several constants are a tuple."""
    match node:
        case ast.Constant(value=value):
            return [value]
        case ast.Tuple(elts=elts) | ast.List(elts=elts) | ast.Set(elts=elts):
            found = [each.value for each in elts if isinstance(each, ast.Constant)]
            return [tuple(found)] if len(found) == len(elts) else None
    return None


def is_with_constant(test: ast.expr) -> TypeGuard[ast.Compare]:
    """Whether a condition compares one thing with a constant: any other comparison tells nothing."""
    match test:
        case ast.Compare(ops=[_], comparators=[right]):
            return constant(right) is not None
    return False


def in_case(subject: ast.expr, pattern: ast.pattern) -> list[ast.Compare]:
    """The comparison with a constant that a case of `match` makes: `case "mean":`."""
    match pattern:
        case ast.MatchValue(value=ast.Constant() as value):
            return [ast.copy_location(ast.Compare(subject, [ast.Eq()], [value]), pattern)]
    return []


def truth(held: object) -> bool | None:
    """What a condition gives that asks for a value itself; None where that is not known."""
    return None if held is GIVEN else bool(held)


def outcome(op: ast.cmpop, held: object, value: object) -> bool | None:
    """What a comparison gives; None where that is not known."""
    if held in (GIVEN, SIZE) and value is not None:
        return None
    if isinstance(held, (int, float)) and isinstance(value, (int, float)):
        ordered = _ORDERED.get(type(op))
        if ordered is not None:
            return ordered(held, value)
    match op:
        case ast.Is() | ast.Eq():
            return held == value and type(held) is type(value)
        case ast.IsNot() | ast.NotEq():
            return not (held == value and type(held) is type(value))
        case ast.In() | ast.NotIn() if isinstance(value, tuple):
            return (held in value) is isinstance(op, ast.In)
    return None


def is_size(node: ast.expr) -> bool:
    """Whether an expression is a size of something: `x.shape[1]`, `x.size(1)`, `len(x)`."""
    match node:
        case ast.Subscript(value=ast.Attribute(attr="shape"), slice=index):
            return not isinstance(index, ast.Slice)
        case ast.Call(func=called, args=[_]):
            return last_name(called) in _SIZES
    return False


def each_once(values: Iterable[object]) -> list[object]:
    """Some values, each once; one and True are two."""
    return list({(type(each), each): each for each in values}.values())
