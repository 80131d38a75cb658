"""Whether two parameters are one thing, by what all calls in sight pass: `self.attention(x, x, x)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import option_calls
from torchperf_lint.facts.index.scopes import Function

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_HANDED_ON: Final = 3
"""So many functions may hand both on."""


def are_one(analysis: Analysis, function: Function, first: ast.expr, second: ast.expr, depth: int = _HANDED_ON) -> bool:
    """Whether two expressions of a function are one name, or two parameters for which all who call it pass one."""
    if not isinstance(first, ast.Name) or not isinstance(second, ast.Name):
        return False
    if first.id == second.id:
        return True
    stores = [function.scope.stores.get(each.id, ()) for each in (first, second) if each.id in function.parameters]
    if not depth or [len(each) for each in stores] != [1, 1]:
        return False
    calls = option_calls.seen(analysis, function)
    return bool(calls) and all(_are_passed_one(other, function, call, (first, second), depth) for other, call in calls)


def _are_passed_one(
    other: Analysis, function: Function, call: ast.Call, names: tuple[ast.Name, ast.Name], depth: int
) -> bool:
    first, second = (option_calls.argument(function, call, each.id) for each in names)
    caller = other.module.function_of(call)
    return first is not None and second is not None and are_one(other, caller, first, second, depth - 1)
