"""Names that hold the sum of something: `total = int(lengths.sum())` gives it without another wait.

A sum that is itself a tensor is none: `total = lengths.sum()` would have to be read.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from typing import TYPE_CHECKING

from torchperf_lint.facts.guesses import count_names as count_names
from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import place_of

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.scopes import Function
    from torchperf_lint.facts.interpret.analysis import Analysis

_Place = tuple[int, int]
_Sums = dict[tuple[str, ast.AST | None], list[tuple[_Place, str]]]
"""The names that hold a sum and where each is bound, in order, by what is added up and the block of the binding."""


def name_of_sum(facts: Facts, at: ast.AST, summed: ast.AST) -> str | None:
    """A name that holds the sum of an expression as a number of Python, wherever control comes to a place from."""
    if not isinstance(summed, ast.expr):
        return None
    module, function, text, place = facts.module, facts.module.function_of(at), ast.unparse(summed), place_of(at)
    sums, since = _sums(facts.analysis, function), _changed_last(module, summed, at)
    found: list[tuple[_Place, str]] = []
    for block in module.ancestors(at):
        bound = sums.get((text, block), [])
        first = bisect_left(bound, (since, ""))
        if first < len(bound) and bound[first][0] <= place:
            found.append(bound[first])
    return min(found)[1] if found else None


@once
def _sums(analysis: Analysis, function: Function) -> _Sums:
    """The names of a function that are bound once, to a sum that is a number of Python."""
    module = function.module
    found: _Sums = {}
    for name, stores in function.scope.stores.items():
        value = definitions.value_of(module, stores[0]) if len(stores) == 1 else None
        summed = _summed(value) if value is not None else None
        if value is not None and summed is not None and analysis.value(value, module).kind == "number":
            block = module.parents.get(module.statement(stores[0]))
            found.setdefault((ast.unparse(summed), block), []).append((place_of(stores[0]), name))
    for names in found.values():
        names.sort()
    return found


def _summed(value: ast.expr) -> ast.expr | None:
    """What is added up to a number of Python: `x` of `int(x.sum())`, `x.sum().item()` and `sum(x.tolist())`."""
    match value:
        case ast.Call(func=ast.Name(id="int"), args=[inner], keywords=[]):
            return _added(inner)
        case ast.Call(func=ast.Attribute(value=inner, attr="item"), args=[]):
            return _added(inner)
        case ast.Call(func=ast.Name(id="sum"), args=[ast.Call(func=ast.Attribute(value=inner, attr="tolist"))]):
            return inner
        case ast.Call(func=ast.Name(id="sum"), args=[inner], keywords=[]):
            return inner
    return None


def _added(value: ast.expr) -> ast.expr | None:
    match value:
        case ast.Call(func=ast.Attribute(value=inner, attr="sum"), args=[], keywords=[]):
            return inner
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr="sum"), args=[inner], keywords=[]):
            return inner
    return None


def _changed_last(module: Module, summed: ast.expr, at: ast.AST) -> _Place:
    """Where one of the names in what was added up was last bound anew or written in place, before a place."""
    changes, place, last = _changes(module, module.function_of(at).node), place_of(at), (0, 0)
    for name in {node.id for node in ast.walk(summed) if isinstance(node, ast.Name)}:
        places = changes.get(name, [])
        before = bisect_left(places, place)
        if before:
            last = max(last, places[before - 1])
    return last


@once
def _changes(module: Module, home: ast.AST) -> dict[str, list[_Place]]:
    """Where each name of a function is bound or written in place, in order."""
    found = {
        name: [place_of(store) for store in stores] for name, stores in module.functions[home].scope.stores.items()
    }
    for node in ast.walk(home):
        name = _changed(node)
        if name is not None:
            found.setdefault(name, []).append(place_of(node))
    for places in found.values():
        places.sort()
    return found


def _changed(node: ast.AST) -> str | None:
    """The name of what is written in place."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)):
            is_written = attr.endswith("_") or attr in ("append", "extend", "pop", "insert", "remove", "clear")
            return name if is_written else None
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
            return name
    return None
