"""Forms of calls that say what something is, wherever they stand: an axis that only torch calls so, a name moved.

Knows syntax alone.
"""

from __future__ import annotations

import ast
from collections.abc import Container
from typing import Final

from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.knowledge import pass_through


def is_same_moved(function: Function, store: ast.AST, name: str) -> bool:
    """Whether a name is bound to what it held, moved or cast: `model = model.to(device).eval()`."""
    above = function.module.parents.get(store)
    node = above.value if isinstance(above, ast.Assign) and above.targets == [store] else None
    while (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in pass_through.MODULE_METHODS
    ):
        node = node.func.value
        if isinstance(node, ast.Name):
            return node.id == name
    return False


_OVER_AXIS: Final = frozenset(("softmax", "log_softmax", "amax", "amin"))
"""Methods of tensors that are functions of libraries as well, which are given the tensor first: `F.softmax(x, -1)`."""


def is_over_axis(call: ast.Call, name: str) -> bool:
    """Whether a call is of a method that only tensors have, by the axis that it is told alone: `x.softmax(-1)`."""
    if name == "norm" and not call.args and any(given.arg == "p" for given in call.keywords):
        return True  # a layer that normalizes is given what it works on
    if name not in _OVER_AXIS or len(call.args) > 1:
        return False
    match [*call.args, *(given.value for given in call.keywords if given.arg == "dim")]:
        case [ast.Constant(value=int()) | ast.UnaryOp(operand=ast.Constant(value=int()))]:
            return True
    return False


def _names_axis(given: ast.keyword) -> bool:
    """Whether an argument is what torch calls an axis: others say `axis`, or give the `dim` a name."""
    is_text = isinstance(given.value, ast.Constant) and isinstance(given.value.value, str)
    return given.arg in ("dim", "keepdim") and not is_text


def has_axis(call: ast.Call, name: str, others: Container[str]) -> bool:
    """Whether a call is of a method that only tensors have, by how it is told its axis; NumPy has some of the name."""
    return is_over_axis(call, name) or (name in others and any(_names_axis(given) for given in call.keywords))
