"""Tensors that are made whole for an operation that torch can do without them: one-hot matrices, all differences, all products."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchperf_lint.facts.idioms import operations
from torchperf_lint.rules.memory.materialised_intermediate import products

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.module import Module


@dataclass(frozen=True, slots=True)
class Form:
    """What is made whole, and what does without."""

    whole: ast.expr
    said: str
    cure: str
    """The call that does without, as text, behind `torch.nn.functional.` or `torch.`."""
    home: str
    of: ast.expr
    is_taken: bool = True
    """Whether what does without takes the dtypes, as far as they are known: a formula promotes them, where it may raise."""


def form(facts: Facts, call: ast.AST) -> Form | None:
    """The form that a call is a part of, which only such forms have."""
    if not isinstance(call, ast.Call):
        return None
    found = operations.of(facts.module, call)
    if found is None:
        return None
    if found.name == "one_hot":
        return _picked(facts, found)
    if found.name == "sum":
        return _summed(facts, found)
    return _distances(facts, found)


def is_form(facts: Facts, call: ast.AST) -> bool:
    return form(facts, call) is not None


def _summed(facts: Facts, total: operations.Operation) -> Form | None:
    """A product of matrices that is written as a product of all elements and a sum."""
    product = products.summed(facts, total)
    if product is None:
        return None
    said = "the products of all elements are made whole to be summed: `torch.matmul` sums as it multiplies"
    return Form(total.call, said, product.cure, "torch", product.of, _are_taken(facts, product.factors))


def _picked(facts: Facts, one_hot: operations.Operation) -> Form | None:
    """A product with a one-hot matrix: each row of it picks a row of the other factor."""
    module = facts.module
    node: ast.expr = one_hot.call
    while True:
        match module.parents.get(node):
            case ast.Attribute(attr="float" | "to" | "type_as" | "half" | "type") as cast:
                above = module.parents.get(cast)
                if not isinstance(above, ast.Call):
                    return None
                node = above
            case ast.BinOp(left=left, op=ast.MatMult(), right=table) as whole if left is node:
                break
            case ast.Call() as whole:
                product = operations.of(module, whole)
                if (
                    product is None
                    or product.name not in ("matmul", "mm")
                    or product.tensor is not node
                    or len(product.rest) != 1
                ):
                    return None
                table = product.rest[0]
                break
            case _:
                return None
    if facts.analysis.value(table, module).rank != 2:
        return None
    indices = ast.unparse(one_hot.tensor)
    said = "a one-hot matrix is made and multiplied to pick rows: `F.embedding` picks them"
    return Form(whole, said, f"embedding({indices}, {ast.unparse(table)})", "torch.nn.functional", one_hot.tensor)


def _are_taken(facts: Facts, tensors: tuple[ast.expr, ast.expr]) -> bool:
    return operations.may_be_of_one_dtype(facts.analysis, facts.module, list(tensors))


def _distances(facts: Facts, reduced: operations.Operation) -> Form | None:
    """The differences of all pairs, squared, summed, and put under a root: Euclidean distances."""
    module = facts.module
    if reduced.name == "norm":
        order = reduced.given("p", 0)
        dim = reduced.given("dim", 1)
        if order is not None and not (isinstance(order, ast.Constant) and order.value == 2):
            return None
        differences, whole = reduced.tensor, reduced.call
    else:
        total = reduced.tensor if reduced.name == "sqrt" else None
        inner = operations.of(module, total)
        if inner is None or inner.name != "sum" or inner.given("keepdim", 1) is not None:
            return None
        dim, squared = inner.given("dim", 0), _squared(module, inner.tensor)
        if squared is None:
            return None
        differences, whole = squared, reduced.call
    pair = _pairs(operations.made(module, differences))
    if pair is None or not _is_last(dim) or reduced.named.get("keepdim") is not None:
        return None
    said = "all differences are made whole for their lengths: `torch.cdist` makes the distances alone"
    return Form(
        whole, said, f"cdist({ast.unparse(pair[0])}, {ast.unparse(pair[1])})", "torch", pair[0], _are_taken(facts, pair)
    )


def _squared(module: Module, node: ast.expr) -> ast.expr | None:
    """What is squared."""
    match node:
        case ast.BinOp(left=of, op=ast.Pow(), right=ast.Constant(value=2)):
            return of
        case ast.Call():
            found = operations.of(module, node)
            if found is not None and (
                found.name == "square" or (found.name == "pow" and ast.dump(found.rest[0]) == _TWO)
            ):
                return found.tensor
    return None


_TWO = ast.dump(ast.Constant(value=2))


def _pairs(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """The two lists of points of which all differences are taken: `a[:, None] - b[None]`, `a.unsqueeze(1) - b.unsqueeze(0)`."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub):
        return None
    first, second = _with_new(node.left), _with_new(node.right)
    if first is None or second is None or {first[1], second[1]} != {0, 1}:
        return None
    if first[2] or second[2]:
        return None
    return (first[0], second[0]) if first[1] == 1 else (second[0], first[0])


def _with_new(node: ast.expr) -> tuple[ast.expr, int, bool] | None:
    """A list of points with a new dimension: which, and whether there are more behind it than the points have."""
    match node:
        case ast.Call(func=ast.Attribute(value=of, attr="unsqueeze"), args=[ast.Constant(value=int(at))], keywords=[]):
            return (of, at, False) if at in (0, 1) else None
        case ast.Subscript(value=of, slice=ast.Constant(value=None)):
            return of, 0, False
        case ast.Subscript(value=of, slice=ast.Tuple(elts=parts)):
            new = [number for number, each in enumerate(parts) if isinstance(each, ast.Constant) and each.value is None]
            whole = [
                each for each in parts if isinstance(each, ast.Slice) and each.lower is each.upper is each.step is None
            ]
            dots = [each for each in parts if isinstance(each, ast.Constant) and each.value is ...]
            if len(new) == 1 and new[0] <= 1 and len(whole) + len(dots) + 1 == len(parts):
                return of, new[0], len(whole) > 2
    return None


def _is_last(dim: ast.expr | None) -> bool:
    match dim:
        case ast.Constant(value=2) | ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)):
            return True
    return False
