"""Constants, products and sums for which torch has an operation that does less."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.value import FLOATING
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.rules.fusion.dearer_op_than_needed import filled, operation
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form, Operation

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_SHOWN: Final = 2
"""So many dimensions must be seen of a tensor that is filled twice: of a row no more than a launch is saved."""


def filled_twice(facts: Facts, node: ast.AST) -> Form | None:
    """A tensor of ones is multiplied by a number, or of zeros added to one: `torch.ones(n) * 5`."""
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            neutral = "ones"
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            neutral = "zeros"
        case _:
            return None
    for full, other in ((left, right), (right, left)):
        if not isinstance(full, ast.Call):
            continue
        name = names.dotted(facts.module.function_of(full), full.func) or ""
        if name not in (f"torch.{neutral}", f"torch.{neutral}_like") or not _is_number(facts, other):
            continue
        cheap = "full_like" if name.endswith("_like") else "full"
        said = f"the tensor is filled, and then passed through once more: `torch.{cheap}` fills it with the number"
        return Form(node, said, _filled_once(facts, full, other, cheap), full, _SHOWN, needs_many=True)
    return None


def may_be_paired(node: ast.AST) -> bool:
    """Whether an operator multiplies two tensors that are indexed for it."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult) and isinstance(node.left, ast.Subscript)


def paired(facts: Facts, node: ast.AST) -> Form | None:
    """Rows times columns, each pair as a product of its own: `x[:, None, None, :] @ y[None, :, :, None]`."""
    match node:
        case ast.BinOp(left=ast.Subscript() as left, op=ast.MatMult(), right=ast.Subscript() as right):
            factors = [left, right]
        case ast.Call():
            found = operation.of(facts.module, node)
            factors = [found.tensor, *found.rest] if found is not None and found.name == "matmul" else []  # type: ignore[list-item]
        case _:
            return None
    if [_places(each) for each in factors] != [":--:", "-::-"] or not isinstance(node, ast.expr):
        return None
    said = "each pair of rows is a product of matrices of its own: `a @ b.mT` is one product of all"
    return Form(node, said, None, factors[0])


def _places(node: ast.expr) -> str:
    """Which dimensions an index leaves whole, `:`, and which it adds, `-`."""
    match node:
        case ast.Subscript(slice=ast.Tuple(elts=indices)):
            pass
        case _:
            return ""
    signs = [":" if operation.is_whole(each) else "-" if _is_none(each) else "?" for each in indices]
    return "".join(signs)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def multiplied_by_ones(facts: Facts, node: ast.AST) -> Form | None:
    """A product with ones of the same size: `torch.ones_like(x) * x.sign()`."""
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            pass
        case _:
            return None
    for ones, other in ((left, right), (right, left)):
        if not isinstance(ones, ast.Call) or ones.keywords or len(ones.args) != 1:
            continue
        name = names.dotted(facts.module.function_of(ones), ones.func)
        if name == "torch.ones_like" and filled.is_part(facts, ones.args[0], other) and not _is_number(facts, other):
            said = "ones are filled in to be multiplied with, which changes nothing: leave them out"
            return Form(node, said, None, other)
    return None


def marked_and_raised(facts: Facts, node: ast.AST) -> Form | None:
    """Numbers that are scattered into zeros, all of which are raised by one more: `torch.zeros_like(x).scatter_(1, i, 0.9) + 0.1`."""
    marking = operation.of(facts.module, node)
    if marking is None or marking.name not in ("scatter", "scatter_") or not isinstance(marking.tensor, ast.Call):
        return None
    name = names.dotted(facts.module.function_of(marking.tensor), marking.tensor.func) or ""
    if name not in ("torch.zeros", "torch.zeros_like") and not _makes_zeros(marking.tensor):
        return None
    at: ast.expr = marking.call
    match facts.module.parents.get(at):
        case ast.Assign(targets=[ast.Name() as bound], value=value) if value is at:
            if not definitions.is_read_only_once(facts.module, bound):
                return None
            at = definitions.reads_after(facts.module, bound)[0]
    match facts.module.parents.get(at):
        case ast.BinOp(left=left, op=ast.Add(), right=right) if _is_number(facts, right if left is at else left):
            said = "numbers are scattered into zeros, and all are raised in one more pass: fill with that first"
            return Form(marking.call, said, None, marking.tensor)
    return None


def _makes_zeros(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "new_zeros"


def _filled_once(facts: Facts, filled: ast.Call, number: ast.expr, cheap: str) -> str | None:
    """The call that fills a tensor with a number; None where its dtype could be another then."""
    made, kind = facts.analysis.value(filled, facts.module), facts.analysis.value(number, facts.module).dtype
    if (
        kind not in ("int", "float")
        or made.dtype not in FLOATING
        or not filled.args
        or "torch" not in facts.module.names
    ):
        return None
    as_float = ast.unparse(number) if kind == "float" else f"float({ast.unparse(number)})"
    named = "".join(f", {ast.unparse(each)}" for each in filled.keywords)
    if cheap == "full_like":
        return f"torch.full_like({ast.unparse(filled.args[0])}, {as_float}{named})" if len(filled.args) == 1 else None
    if len(filled.args) == 1 and isinstance(filled.args[0], (ast.Tuple, ast.List)):
        return f"torch.full({ast.unparse(filled.args[0])}, {as_float}{named})"
    if any(isinstance(each, ast.Starred) for each in filled.args) or not all(
        _is_number(facts, each) for each in filled.args
    ):
        return None
    return f"torch.full(({', '.join(ast.unparse(each) for each in filled.args)},), {as_float}{named})"


def _is_number(facts: Facts, node: ast.expr) -> bool:
    return facts.analysis.value(node, facts.module).kind == "number"


def diagonal_of_product(facts: Facts, node: ast.AST) -> Form | None:
    """A product of which only the diagonal is used: `torch.diag(a @ b)`."""
    found = operation.of(facts.module, node)
    if found is None or found.settings:
        return None
    factors = factors_of(facts, operation.made(facts, found.tensor))
    if factors is None or (found.name != "trace" and facts.analysis.value(found.tensor, facts.module).rank != 2):
        return None
    first, second = operation.operand(factors[0]), operation.operand(factors[1])
    said = "a whole product is made for its diagonal: multiply, and sum along the last dimension"
    return Form(found.call, said, f"({first} * {second}.mT).sum({'' if found.name == 'trace' else '-1'})", factors[0])


def product_with_diagonal(facts: Facts, node: ast.AST) -> Form | None:
    """A product with a diagonal matrix: `torch.diag(v) @ x`."""
    factors = factors_of(facts, node)
    for which in (0, 1) if factors is not None and isinstance(node, ast.expr) else ():
        assert factors is not None
        assert isinstance(node, ast.expr)
        made, other = operation.of(facts.module, factors[which]), factors[1 - which]
        if made is None or made.name not in ("diag", "diag_embed") or made.settings:
            continue
        if made.name == "diag" and facts.analysis.value(made.tensor, facts.module).rank not in (1, None):
            continue
        said = "a product with a diagonal matrix is one with its vector: multiply by that"
        return Form(node, said, _scaled(facts, made, other, which), other)
    return None


def _scaled(facts: Facts, made: Operation, other: ast.expr, which: int) -> str | None:
    """A matrix whose rows, or whose columns, are multiplied; None where it may be a vector."""
    if (facts.analysis.value(other, facts.module).rank or 0) < 2:
        return None
    vector, matrix = operation.operand(made.tensor), operation.operand(other)
    if which == 0:
        return f"({vector}.unsqueeze(-1) * {matrix})"
    return f"({matrix} * {vector})" if made.name == "diag" else f"({matrix} * {vector}.unsqueeze(-2))"


def factors_of(facts: Facts, node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """The two factors of a product of matrices."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return node.left, node.right
    found = operation.of(facts.module, node)
    if found is not None and found.name in ("matmul", "mm", "bmm") and len(found.rest) == 1:
        return found.tensor, found.rest[0]
    return None
