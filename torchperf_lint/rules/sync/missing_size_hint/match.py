"""Names that hold the sum of something: `total = int(lengths.sum())` gives it without another wait.

A sum that is itself a tensor is none: `total = lengths.sum()` would have to be read.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import place_of

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def name_of_sum(facts: Facts, at: ast.AST, summed: ast.AST) -> str | None:
    """A name that holds the sum of an expression as a number of Python, wherever control comes to a place from."""
    if not isinstance(summed, ast.expr):
        return None
    analysis, module, function, text = facts.analysis, facts.module, facts.module.function_of(at), ast.unparse(summed)
    for name, stores in function.scope.stores.items():
        if len(stores) != 1 or place_of(stores[0]) > place_of(at) or not _is_around(module, stores[0], at):
            continue
        value = definitions.value_of(module, stores[0])
        is_number = value is not None and analysis.value(value, module).kind == "number"
        found = _summed(value) if value is not None and is_number else None
        if found is not None and ast.unparse(found) == text and _stays(module, summed, stores[0], at):
            return name
    return None


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


def _is_around(module: Module, binding: ast.AST, at: ast.AST) -> bool:
    """Whether the block of a binding is one of those around a place, so that control comes by it."""
    above = module.parents.get(module.statement(binding))
    return any(each is above for each in module.ancestors(at))


def _stays(module: Module, summed: ast.expr, start: ast.AST, at: ast.AST) -> bool:
    """Whether what was added up is neither bound anew nor written in place until a place."""
    names = {node.id for node in ast.walk(summed) if isinstance(node, ast.Name)}
    scope = module.function_of(at).scope
    stores = [store for name in names for store in scope.stores.get(name, ())]
    changes = [node for node in ast.walk(module.function_of(at).node) if _changes(node, names)]
    return not any(place_of(start) < place_of(each) < place_of(at) for each in (*stores, *changes))


def _changes(node: ast.AST, names: set[str]) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if name in names:
            return attr.endswith("_") or attr in ("append", "extend", "pop", "insert", "remove", "clear")
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
            return name in names
    return False
