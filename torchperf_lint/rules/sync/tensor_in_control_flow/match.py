"""Whether the two sides of a choice between tensors have one dtype."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_WHOLE: Final = frozenset(("int64", "int32", "int16", "int8", "uint8", "integral", "bool"))


def may_promote(facts: Facts, then: ast.AST, other: ast.AST) -> bool:
    """Whether one side may hold whole numbers and the other floats, which `torch.where` makes of both at every step."""
    one, two = (facts.analysis.value(each, facts.module).dtype for each in (then, other))
    if one is not None and two is not None:
        return (one in _WHOLE) is not (two in _WHOLE)
    return _says_float(then) or _says_float(other)


def _says_float(side: ast.AST) -> bool:
    """Whether a call is given a float: `x.clamp(0.0, n)` of whole numbers gives floats."""
    return isinstance(side, ast.Call) and any(
        isinstance(each, ast.Constant) and isinstance(each.value, float) for each in side.args
    )
