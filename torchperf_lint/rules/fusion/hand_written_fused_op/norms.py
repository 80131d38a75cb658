"""Norms over the last dimension that are written out: from the root, down to the mean and up to the quotient."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.idioms import operations
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.walk import walk
from torchperf_lint.rules.fusion.hand_written_fused_op.numbers import number
from torchperf_lint.rules.fusion.hand_written_fused_op.written import Form, is_one

if TYPE_CHECKING:
    from torchperf_lint.facts.index.module import Module


def written_out(module: Module, root: operations.Operation) -> Form | None:
    """`x * rsqrt(mean(x ** 2) + eps)`, and the same of what is centred."""
    under = root.tensor
    match under:
        case ast.BinOp(left=left, op=ast.Add(), right=eps):
            mean = operations.of(module, operations.made(module, left))
        case _:
            return None
    if mean is None or not _is_over_last(module, mean):
        return None
    squared = _squared(module, mean)
    is_variance = mean.name == "var" and _is_biased(mean)
    x = mean.tensor if is_variance else squared
    whole = _normalised(module, root) if x is not None else None
    if x is None or whole is None:
        return None
    top, shown = whole
    centred = _centred(module, shown)
    if is_variance:
        return (
            _as_norm(module, top, "layer_norm", x, eps) if centred is not None and is_one(module, centred, x) else None
        )
    if not (is_one(module, shown, x) or operations.same(shown, x)):
        return None
    return _as_norm(module, top, "rms_norm" if centred is None else "layer_norm", centred or x, eps)


def _as_norm(module: Module, top: ast.expr, fused: str, x: ast.expr, eps: ast.expr) -> Form:
    inside = {id(node) for node in walk(top)}
    is_inline = (
        isinstance(x, ast.Name)
        and id(x) in inside
        and id(eps) in inside
        and all(
            not isinstance(node, ast.Name)
            or node.id in (x.id, *_roots(eps))
            or names.import_of(module.function_of(node), node.id)
            for node in walk(top)
        )
    )
    text = f", {operations.operand(x)}.shape[-1:], eps={ast.unparse(eps)}"
    return Form(top, fused, x, text, is_inline)


def _roots(node: ast.expr) -> list[str]:
    return [each.id for each in walk(node) if isinstance(each, ast.Name)]


def _is_over_last(module: Module, mean: operations.Operation) -> bool:
    """Whether a reduction is over the last dimension, and keeps it."""
    keep = mean.given("keepdim", 2 if mean.name == "var" else 1)
    dim = mean.given("dim", 0)
    if isinstance(dim, (ast.Tuple, ast.List)) and len(dim.elts) == 1:
        dim = dim.elts[0]
    is_kept = isinstance(keep, ast.Constant) and keep.value is True
    return mean.name in ("mean", "var") and is_kept and dim is not None and number(module, dim) == -1


def _is_biased(variance: operations.Operation) -> bool:
    """Whether a variance divides by how many there are, as norms do."""
    unbiased, correction = variance.given("unbiased", 1), variance.named.get("correction")
    return (isinstance(unbiased, ast.Constant) and unbiased.value is False) or (
        isinstance(correction, ast.Constant) and correction.value == 0
    )


def _squared(module: Module, mean: operations.Operation) -> ast.expr | None:
    """What is squared below a mean."""
    match operations.made(module, mean.tensor) if mean.name == "mean" else None:
        case ast.BinOp(left=x, op=ast.Pow(), right=ast.Constant(value=2)):
            return x
        case ast.BinOp(left=x, op=ast.Mult(), right=other) if operations.same(x, other):
            return x
        case ast.Call() as call:
            found = operations.of(module, call)
            if found is None:
                return None
            is_square = found.name == "square" or (
                found.name == "pow" and len(found.rest) == 1 and number(module, found.rest[0]) == 2
            )
            return found.tensor if is_square else None
    return None


def _normalised(module: Module, root: operations.Operation) -> tuple[ast.expr, ast.expr] | None:
    """The quotient with a root, or the product with a reciprocal one, and what is divided."""
    node: ast.expr = root.call
    match module.parents.get(node):
        case ast.Assign(targets=[ast.Name() as bound]) if definitions.is_read_only_once(module, bound):
            node = definitions.reads_after(module, bound)[0]
    match module.parents.get(node):
        case ast.BinOp(left=left, op=ast.Div(), right=right) as whole if right is node and root.name == "sqrt":
            return whole, left
        case ast.BinOp(left=left, op=ast.Mult(), right=right) as whole if root.name == "rsqrt":
            return whole, left if right is node else right
    return None


def _centred(module: Module, node: ast.expr) -> ast.expr | None:
    """Of what a mean over the last dimension is taken off, if an expression is that."""
    if isinstance(node, ast.Name):
        node = definitions.definition(module, node) or node
    match node:
        case ast.BinOp(left=x, op=ast.Sub(), right=right):
            made = (definitions.definition(module, right) or right) if isinstance(right, ast.Name) else right
            mean = operations.of(module, made)
            if (
                mean is not None
                and mean.name == "mean"
                and _is_over_last(module, mean)
                and is_one(module, mean.tensor, x)
            ):
                return x
    return None
