"""Places that are looked for by comparing all numbers with all marks: `(t[:, None] > marks).sum(-1)`.

A search in sorted marks takes as many steps as their number has digits, and needs no table of all comparisons. Knows syntax alone.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.rules.fusion.dearer_op_than_needed import operation
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_COUNTING: Final = frozenset(("sum", "count_nonzero"))
_CASTING: Final = frozenset(("int", "long", "float"))
_SINCE: Final = (1, 6)


def placed(facts: Facts, node: ast.AST) -> Form | None:
    """How many of the marks each number is above, or below."""
    total = operation.of(facts.module, node)
    if total is None or total.name not in _COUNTING or set(total.named) - {"dim"}:
        return None
    if len(total.rest) > 1 or operation.number(facts, total.given("dim", 0)) != -1:
        return None
    match _uncast(operation.made(facts, total.tensor)):
        case ast.Compare(left=left, ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE() as op], comparators=[right]):
            pass
        case _:
            return None
    for numbers, marks in ((left, right), (right, left)):
        searched = _in_column(facts, numbers)
        if searched is not None and _in_column(facts, marks) is None and _is_tensor(facts, marks):
            said = "all are compared with all to be counted: `torch.searchsorted` finds each place in a few steps"
            cure = _cure(facts, op, searched, marks) if numbers is left else None
            return Form(total.call, said, cure, searched, since=_SINCE)
    return None


def _cure(facts: Facts, op: ast.cmpop, searched: ast.expr, marks: ast.expr) -> str | None:
    """The search for numbers that are above marks in one row, which may not be in order."""
    if not isinstance(op, (ast.Gt, ast.GtE)) or facts.analysis.value(marks, facts.module).rank != 1:
        return None
    right = ", right=True" if isinstance(op, ast.GtE) else ""
    found = f"torch.searchsorted({operation.operand(marks)}.sort()[0], {ast.unparse(searched)}{right})"
    return found if "torch" in facts.module.names else None


def _uncast(node: ast.expr) -> ast.expr:
    """A comparison of which the numbers are counted."""
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr=name), args=[], keywords=[]) if name in _CASTING:
            return inner
    return node


def _in_column(facts: Facts, node: ast.expr) -> ast.expr | None:
    """The tensor that gets a last dimension of one element: `t.unsqueeze(-1)`, `t[..., None]`, `t[:, None]`."""
    match node:
        case ast.Call(func=ast.Attribute(value=of, attr="unsqueeze"), args=[at], keywords=[]):
            rank, number = facts.analysis.value(of, facts.module).rank, operation.number(facts, at)
            return of if number == -1 or (rank is not None and number == rank) else None
        case ast.Subscript(value=of, slice=ast.Tuple(elts=[*before, ast.Constant(value=None)])):
            return of if all(map(operation.is_whole, before)) else None
    return None


def _is_tensor(facts: Facts, node: ast.expr) -> bool:
    """Whether the marks are a tensor of some dimension, as far as it is known."""
    value = facts.analysis.value(node, facts.module)
    return value.kind in ("tensor", "unknown") and value.rank != 0
