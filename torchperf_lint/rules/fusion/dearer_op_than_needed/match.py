"""The forms of code that ask torch for more than is used; each is a function of its own, by what it looks at."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.rules.fusion.dearer_op_than_needed import (
    blends,
    bounds,
    casts,
    copies,
    cuts,
    draws,
    extremes,
    filled,
    joins,
    layers,
    parts,
    powers,
    products,
    reductions,
    searches,
    softmaxes,
    triangles,
    updates,
)
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.module import Module

_CALLS: Final[dict[str, tuple[Callable[[Facts, ast.AST], Form | None], ...]]] = {
    "max": (parts.squashed_to_compare, parts.half_of_max, filled.bounded, extremes.largest_by_hand),
    "amax": (extremes.largest_by_hand,),
    "min": (parts.half_of_max, filled.bounded),
    "maximum": (filled.bounded,),
    "minimum": (filled.bounded,),
    "argmax": (parts.squashed_to_compare,),
    "sort": (parts.sorted_for_part, cuts.sorted_and_cut, cuts.sorted_for_one),
    "argsort": (parts.sorted_for_part, cuts.sorted_and_cut),
    "matmul": (products.paired, products.product_with_diagonal, triangles.inverted_to_multiply),
    "mm": (products.product_with_diagonal, triangles.inverted_to_multiply),
    "bmm": (products.product_with_diagonal, triangles.inverted_to_multiply),
    "diag": (products.diagonal_of_product,),
    "diagonal": (products.diagonal_of_product,),
    "trace": (products.diagonal_of_product,),
    "cat": (joins.joined_again, joins.selected_one_by_one),
    "stack": (joins.joined_again, joins.selected_one_by_one),
    "split": (joins.cut_for_part,),
    "chunk": (joins.cut_for_part,),
    "sqrt": (blends.norm_by_hand,),
    "bernoulli": (draws.evenly,),
    "multinomial": (draws.evenly,),
    "one_hot": (casts.marked,),
    "pow": (powers.raised,),
    "add_": (updates.averaged,),
    "sum": (searches.placed, softmaxes.masked_by_hand, reductions.reduced_twice),
    "mean": (reductions.reduced_twice,),
    "clone": (bounds.copied_to_bound,),
    "scatter": (products.marked_and_raised,),
    "scatter_": (products.marked_and_raised,),
    "count_nonzero": (searches.placed,),
    **dict.fromkeys(layers.FUNCTIONS, (layers.made_for_call,)),
    **dict.fromkeys(
        ("empty", "zeros", "ones", "full", "rand", "randn", "empty_like", "zeros_like", "ones_like", "full_like", "new_zeros", "new_empty"),
        (parts.overwritten,),
    ),
}  # fmt: skip
"""The forms that a call may be part of, by its last name."""
_COUNTING: Final = frozenset(("sum", "count_nonzero"))
_DIAGONAL: Final = frozenset(("diag", "diag_embed"))
_FILLING: Final = frozenset(("ones", "ones_like", "zeros", "zeros_like"))
NAMES: Final = (*_CALLS, *_COUNTING, *_DIAGONAL, *_FILLING, *copies.REDUCING, *triangles.INVERTING, *casts.CASTS)


def that_may_be_dear(module: Module) -> Iterator[ast.AST]:
    """The calls that are asked about, counts that are compared, and operators where what they may be part of is in the file."""
    for name in _CALLS:
        yield from module.calls.get(name, ())
    for name in copies.REDUCING:
        yield from filter(copies.may_be_reduced, () if name in _CALLS else module.calls.get(name, ()))
    if module.names & _COUNTING:
        yield from filter(_compares_count, module.by_type.get(ast.Compare, ()))
    if module.names & (_DIAGONAL | _FILLING | triangles.INVERTING):
        yield from filter(_may_work_on_call, module.by_type.get(ast.BinOp, ()))
    yield from filter(blends.may_blend, module.by_type.get(ast.BinOp, ()))
    yield from filter(products.may_be_paired, module.by_type.get(ast.BinOp, ()))
    yield from filter(powers.may_be_raised, module.by_type.get(ast.BinOp, ()))
    yield from filter(casts.may_be_masked, module.by_type.get(ast.BinOp, ()))


def _compares_count(node: ast.AST) -> bool:
    match node:
        case ast.Compare(left=ast.Call(), comparators=[ast.Constant()]):
            return True
    return False


def _may_work_on_call(node: ast.AST) -> bool:
    """Whether an operator has a call on one side, or multiplies matrices."""
    return isinstance(node, ast.BinOp) and (
        isinstance(node.op, ast.MatMult) or isinstance(node.left, ast.Call) or isinstance(node.right, ast.Call)
    )


def form(facts: Facts, node: ast.AST) -> Form | None:
    """The dear form that a node is, and its cure."""
    match node:
        case ast.Compare():
            return parts.count_to_ask(facts, node)
        case ast.BinOp(op=ast.MatMult()):
            multiplied = (products.paired, products.product_with_diagonal, triangles.inverted_to_multiply)
            return next((each for each in (ask(facts, node) for ask in multiplied) if each is not None), None)
        case ast.BinOp():
            asked = (products.filled_twice, products.multiplied_by_ones, powers.raised, blends.blended, casts.masked)
            return next((each for each in (ask(facts, node) for ask in asked) if each is not None), None)
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            found = (ask(facts, node) for ask in (*_CALLS.get(name, ()), copies.reduced_on_host))
            return next((each for each in found if each is not None), None)
    return None


def is_dear(facts: Facts, node: ast.AST) -> bool:
    return form(facts, node) is not None
