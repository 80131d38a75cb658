"""Numbers that are cast for nothing, or made wider than they need be.

F.one_hot(y, n).float()              torch.zeros(*y.shape, n).scatter_(-1, y[..., None], 1)
x * (y > 0).to(x.dtype)              x * (y > 0)
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.value import FLOATING
from torchperf_lint.facts.index import definitions
from torchperf_lint.rules.fusion.dearer_op_than_needed import operation
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.module import Module

CASTS: Final = frozenset(("float", "half", "bfloat16", "double", "to", "type", "type_as"))
_TURNS: Final = frozenset(("permute", "transpose", "movedim", "moveaxis"))
_SHAPES: Final = _TURNS | {"view", "reshape", "squeeze", "unsqueeze", "flatten"}
_DEEP: Final = 6
"""So many methods and names are followed."""


def marked(facts: Facts, node: ast.AST) -> Form | None:
    """A table of ones and zeros in whole numbers of eight bytes each, that is passed through once more, into another type or order."""
    found = operation.of(facts.module, node)
    if found is None or found.name != "one_hot" or not _is_copied(facts, found.call, _DEEP, is_turned=False):
        return None
    said = "`one_hot` writes eight bytes a number, only to be copied: `scatter_` ones into zeros of that type"
    return Form(found.call, said, None, found.call)


def _is_copied(facts: Facts, node: ast.expr, deep: int, *, is_turned: bool) -> bool:
    """Whether all that is done with a table is to cast it, or to put it in another order."""
    above = facts.module.parents.get(node)
    match above:
        case ast.Attribute(attr=name) if deep:
            call = facts.module.parents.get(above)
            if not isinstance(call, ast.Call) or call.func is not above:
                return False
            if name in CASTS:
                return facts.analysis.value(call, facts.module).dtype in (None, *FLOATING)
            if name == "contiguous":
                return is_turned
            return name in _SHAPES and _is_copied(facts, call, deep - 1, is_turned=is_turned or name in _TURNS)
        case ast.Assign(targets=[ast.Name() as bound]) if deep and _is_local(facts.module, bound):
            reads = definitions.reads_after(facts.module, bound)
            return len(reads) == 1 and _is_copied(facts, reads[0], deep - 1, is_turned=is_turned)
    return False


def _is_local(module: Module, bound: ast.Name) -> bool:
    function = module.function_of(bound)
    return not function.is_module and bound.id not in function.inner_reads and bound.id not in function.scope.outer


def may_be_masked(node: ast.AST) -> bool:
    """Whether an operator multiplies with a comparison that is cast."""
    return isinstance(node, ast.BinOp) and any(_compared(each) is not None for each in (node.left, node.right))


def _compared(node: ast.expr) -> ast.Compare | None:
    """The comparison that an expression casts: `(x > 0).float()`."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Compare() as compared, attr=name)) if name in CASTS:
            return compared
    return None


def masked(facts: Facts, node: ast.AST) -> Form | None:
    """A comparison that is cast to be multiplied with fractions."""
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            pass
        case _:
            return None
    for cast, other in ((left, right), (right, left)):
        compared = _compared(cast)
        if compared is None or not _is_of_fractions(facts, other) or _value_kind(facts, compared) != "tensor":
            continue
        said = "a comparison is cast to be multiplied, which torch does by itself: leave the cast out"
        one, two = (compared, other) if cast is left else (other, compared)
        return Form(
            node,
            said,
            f"{_factor(one)} * {_factor(two)}" if _keeps_type(facts, cast, other) else None,
            other,
            needs_many=True,
        )
    return None


def _factor(node: ast.expr) -> str:
    return (
        ast.unparse(node)
        if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
        else f"({ast.unparse(node)})"
    )


def _value_kind(facts: Facts, node: ast.expr) -> str:
    return facts.analysis.value(node, facts.module).kind


def _is_of_fractions(facts: Facts, node: ast.expr) -> bool:
    """Whether an expression is a tensor of fractions, as far as it is known, and more than one."""
    value = facts.analysis.value(node, facts.module)
    return value.kind == "tensor" and value.rank != 0 and (value.dtype in FLOATING or value.grad is True)


def _keeps_type(facts: Facts, cast: ast.expr, other: ast.expr) -> bool:
    """Whether the product has the same type without the cast."""
    types = [facts.analysis.value(each, facts.module).dtype for each in (cast, other)]
    return types[0] == types[1]
