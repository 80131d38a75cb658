"""Elementwise formulas that torch has one operation for.

x * gate + y * (1 - gate)                    torch.lerp(y, x, gate)
y + (x - y) * gate                           torch.lerp(y, x, gate)
(x * x).sum(1).sqrt()                        torch.linalg.vector_norm(x, dim=1)
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.value import FLOATING
from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.rules.fusion.dearer_op_than_needed import operation
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_LERP_SINCE: Final = (1, 2)
"""The torch from which on a weight may be a tensor."""
_PLAIN: Final = (ast.Name, ast.Attribute)


def may_blend(node: ast.AST) -> bool:
    """Whether an operator is a sum of two products of which one has a factor `1 - x`, or goes a part of the way: `y + (x - y) * w`."""
    if _way(node) is not None:
        return True
    match node:
        case ast.BinOp(left=ast.BinOp(op=ast.Mult()) as one, op=ast.Add(), right=ast.BinOp(op=ast.Mult()) as other):
            return any(_rest(each) is not None for product in (one, other) for each in (product.left, product.right))
    return False


def blended(facts: Facts, node: ast.AST) -> Form | None:
    """Two tensors that are blended: `x * gate + y * (1 - gate)`."""
    found = way = _way(node)
    match node:
        case ast.BinOp(left=ast.BinOp(op=ast.Mult()) as one, op=ast.Add(), right=ast.BinOp(op=ast.Mult()) as other):
            found = way or _blend(one, other) or _blend(other, one)
    if found is None or not isinstance(node, ast.expr):
        return None
    weight, to, start = found
    values = [facts.analysis.value(each, facts.module) for each in (to, start, weight)]
    if [each.kind for each in values[:2]] != ["tensor", "tensor"] or values[2].kind not in ("tensor", "number"):
        return None
    if any(each.kind == "tensor" and each.dtype not in (None, *FLOATING) for each in values):
        return None
    if values[0].rank in (0, 1) or any(value_names.is_loss(last_name(each)) for each in (to, start)):
        return None  # single numbers, or one a channel: nothing but launches is saved
    said = (
        f"{'four' if way is None else 'three'} operations blend two tensors, each through memory: `torch.lerp` is one"
    )
    cure = f"torch.lerp({ast.unparse(start)}, {ast.unparse(to)}, {ast.unparse(weight)})"
    is_taken = "torch" in facts.module.names and operation.are_of_one_dtype(facts, [start, to, weight])
    since = _LERP_SINCE if values[2].kind == "tensor" else (0, 0)
    return Form(node, said, cure if is_taken else None, to, needs_many=True, since=since)


def _blend(product: ast.BinOp, remaining: ast.BinOp) -> tuple[ast.expr, ast.expr, ast.expr] | None:
    """The weight, what has it, and what has the rest."""
    for rest, start in ((remaining.left, remaining.right), (remaining.right, remaining.left)):
        weight = _rest(rest)
        for factor, to in ((product.left, product.right), (product.right, product.left)):
            if weight is not None and operation.same(factor, weight):
                return weight, to, start
    return None


def _way(node: ast.AST) -> tuple[ast.expr, ast.expr, ast.expr] | None:
    """The same of what goes a part of the way from one to the other: `start + (to - start) * weight`."""
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            for start, product in ((left, right), (right, left)):
                match product:
                    case ast.BinOp(left=ast.BinOp(left=to, op=ast.Sub(), right=again), op=ast.Mult(), right=weight):
                        pass
                    case ast.BinOp(left=weight, op=ast.Mult(), right=ast.BinOp(left=to, op=ast.Sub(), right=again)):
                        pass
                    case _:
                        continue
                if operation.same(start, again) and isinstance(start, _PLAIN):
                    return weight, to, start
    return None


def _rest(node: ast.expr) -> ast.expr | None:
    """The weight that is taken from one: `gate` of `1 - gate`."""
    match node:
        case ast.BinOp(left=ast.Constant(value=1 | 1.0 as whole), op=ast.Sub(), right=weight) if whole is not True:
            return weight if isinstance(weight, _PLAIN) else None
    return None


def norm_by_hand(facts: Facts, node: ast.AST) -> Form | None:
    """The root of a sum of squares: `x.pow(2).sum(-1).sqrt()`."""
    root = operation.of(facts.module, node)
    total = operation.of(facts.module, operation.made(facts, root.tensor)) if root is not None else None
    if root is None or total is None or total.name != "sum" or root.settings or set(total.named) - {"dim", "keepdim"}:
        return None
    tensor = _squared(facts, operation.made(facts, total.tensor))
    if tensor is None or len(total.rest) > 1 or (dim := total.given("dim", 0)) is None:
        return None
    keep = f", keepdim={ast.unparse(total.named['keepdim'])}" if "keepdim" in total.named else ""
    said = "squares, their sum and its root each pass through memory: `torch.linalg.vector_norm` is one"
    cure = f"torch.linalg.vector_norm({ast.unparse(tensor)}, dim={ast.unparse(dim)}{keep})"
    is_taken = "torch" in facts.module.names and facts.analysis.value(tensor, facts.module).dtype in (None, *FLOATING)
    return Form(root.call, said, cure if is_taken else None, tensor, since=operation.VECTOR_NORM_SINCE)


def _squared(facts: Facts, node: ast.expr) -> ast.expr | None:
    """The tensor whose squares an expression is."""
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=right) if operation.same(left, right):
            found: ast.expr | None = left
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=2 | 2.0)):
            found = left
        case _:
            power = operation.of(facts.module, node)
            is_square = (
                power is not None and power.name == "pow" and operation.number(facts, power.given("exponent", 0)) == 2
            )
            is_square = is_square or (power is not None and power.name == "square" and not power.rest)
            found = power.tensor if power is not None and is_square else None
    # Ex) (a[:, None] - b[None]) ** 2: distances of all pairs are for another rule
    is_of_pairs = found is not None and any(isinstance(each, ast.Subscript) for each in ast.walk(found))
    return None if is_of_pairs else found
