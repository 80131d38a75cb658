"""Averages that are updated in two passes, where `lerp_` is one.

average.mul_(decay).add_(x, alpha=1 - decay)         average.lerp_(x, 1 - decay)
average.mul_(decay).add_((1 - decay) * x)              the same
average.copy_(decay * average + (1 - decay) * x)     the same
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.value import FLOATING
from torchperf_lint.rules.fusion.dearer_op_than_needed import operation
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_ROUNDING: Final = 1e-9


def averaged(facts: Facts, node: ast.AST) -> Form | None:
    """A tensor that is weighed in place, and to which the rest of another is added."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Call() as scaled, attr="add_")):
            pass
        case _:
            return None
    scaling, adding = operation.of(facts.module, scaled), operation.of(facts.module, node)
    if scaling is None or adding is None or scaling.name != "mul_" or len(scaling.rest) != 1 or scaling.named:
        return None
    added = next((each for each in _added(adding) if _make_one(facts, scaling.rest[0], each[1])), None)
    if added is None:
        return None
    other, share = added
    if not _may_be_blended(facts, scaling.tensor) or not _may_be_blended(facts, other):
        return None
    said = "an average is updated in two passes through memory: `lerp_` is one"
    cure = f"{operation.operand(scaling.tensor)}.lerp_({ast.unparse(other)}, {ast.unparse(share)})"
    is_taken = operation.are_of_one_dtype(facts, [scaling.tensor, other, share])
    return Form(adding.call, said, cure if is_taken else None, scaled, needs_many=True)


def _added(adding: operation.Operation) -> tuple[tuple[ast.expr, ast.expr], ...]:
    """What is added, and the number that it is multiplied with, in either order where it is a product."""
    match adding.rest, adding.named:
        case [other], {"alpha": share} if len(adding.named) == 1:
            return ((other, share),)
        case [ast.BinOp(left=left, op=ast.Mult(), right=right)], {} if not adding.named:
            return (left, right), (right, left)
        case [share, other], {} if not adding.named:  # as it was written before torch 1.5
            return ((other, share),)
    return ()


def _make_one(facts: Facts, weight: ast.expr, share: ast.expr) -> bool:
    """Whether two factors add up to one: `decay` and `1 - decay`, 0.9 and 0.1."""
    numbers = operation.number(facts, weight), operation.number(facts, share)
    if numbers[0] is not None and numbers[1] is not None:
        return abs(numbers[0] + numbers[1] - 1) < _ROUNDING
    return _rests(weight, share) or _rests(share, weight)


def _rests(rest: ast.expr, weight: ast.expr) -> bool:
    match rest:
        case ast.BinOp(left=ast.Constant(value=1 | 1.0 as whole), op=ast.Sub(), right=right) if whole is not True:
            return operation.same(right, weight)
    return False


def _may_be_blended(facts: Facts, node: ast.expr) -> bool:
    """Whether an expression may be a tensor of fractions, of more than one."""
    value = facts.analysis.value(node, facts.module)
    return value.kind in ("tensor", "unknown") and value.dtype in (None, *FLOATING) and value.rank != 0
