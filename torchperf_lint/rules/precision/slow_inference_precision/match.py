"""Attention whose operands are made float32, though they were half precision: by their dtype, or as the result is cast back."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import names

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

Casts = list[tuple[ast.expr, ast.expr]]
"""Each cast, and what is cast."""

_ATTENTION: Final = "torch.nn.functional.scaled_dot_product_attention"
_OPERANDS: Final = ("query", "key", "value")
_HALF: Final = ("float16", "bfloat16")
_BACK: Final = ("to", "type_as", "type", "half", "bfloat16")


def is_widened(facts: Facts, node: ast.AST) -> bool:
    return bool(casts(facts, node))


def casts(facts: Facts, node: ast.AST) -> Casts:
    """The casts of queries, keys and values to float32; none where one of them is not cast, or was not half precision."""
    function = facts.module.function_of(node)
    if not isinstance(node, ast.Call) or names.dotted(function, node.func) != _ATTENTION:
        return []
    given = [*node.args[:3], *(each.value for each in node.keywords if each.arg in _OPERANDS)]
    found = [(each, held) for each in given if (held := _widened(facts, each)) is not None]
    if len(given) != len(_OPERANDS) or len(found) != len(given):
        return []
    kinds = [facts.analysis.value(held, facts.module).dtype for _, held in found]
    if any(kind is not None and kind not in _HALF for kind in kinds):
        return []
    return found if all(kind in _HALF for kind in kinds) or _is_cast_back(facts, node) else []


def _widened(facts: Facts, node: ast.expr) -> ast.expr | None:
    """What becomes float32: `x.float()`, `x.to(torch.float32)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=held, attr="float"), args=[], keywords=[]):
            return held
        case ast.Call(func=ast.Attribute(value=held, attr="to"), args=[asked], keywords=[]):
            return held if names.dotted(facts.module.function_of(node), asked) == "torch.float32" else None
    return None


def _is_cast_back(facts: Facts, node: ast.Call) -> bool:
    above = facts.module.parents.get(node)
    return isinstance(above, ast.Attribute) and above.attr in _BACK
