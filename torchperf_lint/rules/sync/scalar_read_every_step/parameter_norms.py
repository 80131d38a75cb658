"""Loops that add up the norms of all parameters, one by one: all of them can be taken at once.

    for p in model.parameters():
        if p.grad is not None:
            norm = p.grad.data.norm(2)
            total += norm.item() ** 2

Each norm is a launch, or a few, so that adding up on the GPU what is read one by one spares the waits and gains nothing.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.index import blocks
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_PARAMETERS: Final = frozenset(("parameters", "named_parameters"))
_SAME: Final = frozenset(("data", "detach"))
"""What gives the values of a parameter, or of its gradient, as they are."""


@dataclass(frozen=True, slots=True)
class Norms:
    """Norms that a loop adds up."""

    loop: ast.For
    total: str
    each: str
    """The tensors whose norms they are, as a comprehension goes through them."""
    squared: bool


def is_of_each(facts: Facts, read: ast.AST) -> bool:
    """Whether a loop around a read goes through the parameters of a module, or what is called so."""
    loop = blocks.loop(facts.module, read)
    match loop:
        case ast.For(iter=ast.Call(func=func)):
            return last_name(func) in _PARAMETERS
        case ast.For(iter=ast.Name() | ast.Attribute() as held):
            return value_names.is_of_parameters(last_name(held))
    return False


def norms(facts: Facts, read: ast.AST) -> Norms | None:
    """The norms of which a call reads one, where their loop does nothing but add them up."""
    loop = blocks.loop(facts.module, read)
    if not isinstance(loop, ast.For) or not isinstance(read, ast.Call) or not is_of_each(facts, read):
        return None
    statements, condition = _body(loop)
    added = statements[-1] if statements else None
    bound = _bound(statements[:-1])
    if bound is None or not isinstance(added, ast.AugAssign) or not isinstance(added.op, ast.Add):
        return None
    tensor, is_power = _read(added.value, read)
    normed, is_square = _normed(_known(tensor, bound))
    of = _plain(_known(normed, bound)) if normed is not None else None
    item = loop.target.elts[-1] if isinstance(loop.target, ast.Tuple) else loop.target
    if (
        of is None
        or not isinstance(item, ast.Name)
        or of not in (item.id, f"{item.id}.grad")
        or (is_power and is_square)
    ):
        return None
    each = f"[{of} for {_target(loop.target)} in {ast.unparse(loop.iter)}{condition}]"
    return Norms(loop, ast.unparse(added.target), each, is_power or is_square)


def _target(target: ast.expr) -> str:
    return ast.unparse(target).strip("()")


def _body(loop: ast.For) -> tuple[list[ast.stmt], str]:
    """What a loop does for each parameter, and for which."""
    match loop.body:
        case [ast.If(test=test, body=body, orelse=[])]:
            return body, f" if {ast.unparse(test)}"
        case [ast.If(test=ast.Compare(left=left, ops=[ast.Is()]) as test, body=[ast.Continue()], orelse=[]), *body]:
            return body, f" if {ast.unparse(ast.Compare(left, [ast.IsNot()], test.comparators))}"
    return loop.body, ""


def _bound(statements: list[ast.stmt]) -> dict[str, ast.expr] | None:
    """What names stand for, if all that some statements do is to bind them."""
    found: dict[str, ast.expr] = {}
    for each in statements:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found[name] = value
            case _:
                return None
    return found


def _known(node: ast.expr | None, bound: dict[str, ast.expr]) -> ast.expr | None:
    return bound.get(node.id, node) if isinstance(node, ast.Name) else node


def _read(added: ast.expr, read: ast.Call) -> tuple[ast.expr | None, bool]:
    """The tensor that is read to be added, and whether its square is: of `n.item()`, `n.item() ** 2`, `float(n)`."""
    match added:
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=2)):
            return _read(left, read)[0], True
        case ast.Call(func=ast.Attribute(value=tensor, attr="item")) | ast.Call(func=ast.Name(), args=[tensor]):
            return (tensor, False) if added is read else (None, False)
    return None, False


def _normed(made: ast.expr | None) -> tuple[ast.expr | None, bool]:
    """What a Euclidean norm is taken of, and whether it is squared: of `g.norm(2)`, `g.pow(2).sum()`."""
    match made:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr="norm"), args=[of, *rest]):
            return (of if _is_two(rest) and not made.keywords else None), False
        case ast.Call(func=ast.Attribute(value=of, attr="norm"), args=rest, keywords=[]):
            return (of if _is_two(rest) else None), False
        case ast.Call(func=ast.Attribute(value=squares, attr="sum"), args=[], keywords=[]):
            return _squared(squares), True
    return None, False


def _squared(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.Call(func=ast.Attribute(value=of, attr="pow"), args=[ast.Constant(value=2)]):
            return of
        case ast.Call(func=ast.Attribute(value=of, attr="square"), args=[]):
            return of
        case ast.BinOp(left=of, op=ast.Pow(), right=ast.Constant(value=2)):
            return of
    return None


def _is_two(rest: list[ast.expr]) -> bool:
    return not rest or (len(rest) == 1 and isinstance(rest[0], ast.Constant) and rest[0].value == 2)


def _plain(node: ast.expr | None) -> str | None:
    """A parameter, or its gradient, without what gives it as it is: `p.grad` of `p.grad.data`."""
    while True:
        match node:
            case ast.Attribute(value=inner, attr=attr) if attr in _SAME:
                node = inner
            case ast.Call(func=ast.Attribute() as func, args=[]) if func.attr in _SAME:
                node = func
            case _:
                return ast.unparse(node) if node is not None else None
