"""A softmax under a mask that is written out: weights of all, multiplied with the mask, and divided by what is left of their sum.

weights = scores.softmax(-1) * mask
weights = weights / (weights.sum(-1, keepdim=True) + 1e-13)          scores.masked_fill(~mask, -inf).softmax(-1)
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.index import definitions
from torchperf_lint.rules.fusion.dearer_op_than_needed import operation
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form, Operation

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def masked_by_hand(facts: Facts, node: ast.AST) -> Form | None:
    """The sum by which weights under a mask are divided."""
    total = operation.of(facts.module, node)
    if total is None or total.name != "sum" or not _is_kept(total):
        return None
    quotient = _divided(facts, total)
    softmax = _masked(facts, total.tensor) if quotient is not None else None
    if quotient is None or softmax is None:
        return None
    said = "weights are masked and divided anew: fill the scores with -inf under the mask before `softmax`"
    return Form(quotient, said, None, softmax.tensor)


def _is_kept(total: Operation) -> bool:
    keep = total.given("keepdim", 1)
    return isinstance(keep, ast.Constant) and keep.value is True and total.given("dim", 0) is not None


def _divided(facts: Facts, total: Operation) -> ast.BinOp | None:
    """The quotient of what is summed by its sum, to which so little may be added that it is not zero."""
    at: ast.AST = total.call
    above = facts.module.parents.get(at)
    match above:
        case ast.BinOp(op=ast.Add()):
            at, above = above, facts.module.parents.get(above)
        case ast.Attribute(attr="clamp" | "clamp_min"):
            at = facts.module.parents.get(above) or above
            above = facts.module.parents.get(at)
    match above:
        case ast.BinOp(left=left, op=ast.Div(), right=right) if right is at and operation.same(left, total.tensor):
            return above
    return None


def _masked(facts: Facts, node: ast.expr) -> Operation | None:
    """The softmax that an expression is a product of, with another tensor."""
    match _bound(facts, node):
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            for one, other in ((left, right), (right, left)):
                softmax = operation.of(facts.module, _bound(facts, one))
                if softmax is not None and softmax.name == "softmax":
                    return softmax if _may_be_mask(facts, other) else None
    return None


def _bound(facts: Facts, node: ast.expr) -> ast.expr:
    return (definitions.definition(facts.module, node) or node) if isinstance(node, ast.Name) else node


def _may_be_mask(facts: Facts, node: ast.expr) -> bool:
    """Whether an expression is named after a mask, or is one: weights of another kind are no scores to leave out."""
    value = facts.analysis.value(node, facts.module)
    return value.kind in ("tensor", "unknown") and (value.dtype == "bool" or value_names.is_mask(ast.unparse(node)))
