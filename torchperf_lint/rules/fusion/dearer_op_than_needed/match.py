"""The forms of code that ask torch for more than is used; each is a function of its own, by what it looks at."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.rules.fusion.dearer_op_than_needed import parts, products
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchperf_lint.facts.facade import Facts

_CALLS: Final[dict[str, tuple[Callable[[Facts, ast.AST], Form | None], ...]]] = {
    "max": (parts.squashed_to_compare, parts.half_of_max),
    "min": (parts.half_of_max,),
    "argmax": (parts.squashed_to_compare,),
    "sort": (parts.sorted_for_part,),
    "argsort": (parts.sorted_for_part,),
    "matmul": (products.product_with_diagonal,),
    "mm": (products.product_with_diagonal,),
    "bmm": (products.product_with_diagonal,),
    "diag": (products.diagonal_of_product,),
    "diagonal": (products.diagonal_of_product,),
    "trace": (products.diagonal_of_product,),
    **dict.fromkeys(
        ("empty", "zeros", "ones", "full", "rand", "randn", "empty_like", "zeros_like", "ones_like", "full_like", "new_zeros", "new_empty"),
        (parts.overwritten,),
    ),
}  # fmt: skip
"""The forms that a call may be part of, by its last name."""
NAMES: Final = tuple(_CALLS)


def form(facts: Facts, node: ast.AST) -> Form | None:
    """The dear form that a node is, and its cure."""
    match node:
        case ast.Compare():
            return parts.count_to_ask(facts, node)
        case ast.BinOp(op=ast.MatMult()):
            return products.product_with_diagonal(facts, node)
        case ast.BinOp():
            return products.filled_twice(facts, node)
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            found = (ask(facts, node) for ask in _CALLS.get(name, ()))
            return next((each for each in found if each is not None), None)
    return None


def is_dear(facts: Facts, node: ast.AST) -> bool:
    return form(facts, node) is not None
