"""Writes in place behind a statement: `x[0] = c`, `x.add_(c)`, `x += c`, `f(..., out=x)`. Syntax and names alone."""

from __future__ import annotations

import ast

from torchperf_lint.facts.index import blocks
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import end_of, place_of, walk


def are_behind(module: Module, node: ast.expr) -> bool:
    """Whether the tensor of a name, or of a part of it, is written in place behind a statement, up to the next binding.

    What stands earlier in a loop around both comes behind it too, unless the loop binds the name anew at each turn.
    """
    root: ast.expr = node
    while isinstance(root, (ast.Subscript, ast.Attribute)):
        root = root.value
    if not isinstance(root, ast.Name):
        return False
    function = module.function_of(node)
    statement = module.statement(node)
    around = blocks.loop(module, node)
    start, end = place_of(statement), end_of(statement)
    stores = [store for store in function.scope.stores.get(root.id, ()) if not isinstance(store, ast.arg)]
    changes = [store for store in stores if isinstance(module.parents.get(store), ast.AugAssign)]
    bound = [place_of(store) for store in stores if store not in changes]
    stop = min((place for place in bound if place >= start), default=None)
    is_anew = around is not None and any(place_of(around) <= place <= end for place in bound)
    again = set(map(id, walk(around))) if around is not None and not is_anew else set()
    changes += [load for load in function.scope.loads.get(root.id, ()) if writes(module, load)]
    return any(
        (place_of(change) >= end and (stop is None or place_of(change) < stop)) or id(change) in again
        for change in changes
    )


def writes(module: Module, load: ast.Name) -> bool:
    """Whether a read of a name is there to write into what it holds: `x[0] = c`, `x.add_(c)`, `f(..., out=x)`."""
    at: ast.AST = load
    above = module.parents.get(at)
    while isinstance(above, (ast.Subscript, ast.Attribute)) and above.value is at:
        if isinstance(above.ctx, ast.Store):
            return True
        if isinstance(above, ast.Attribute) and above.attr.endswith("_") and not above.attr.endswith("__"):
            return isinstance(module.parents.get(above), ast.Call)
        at, above = above, module.parents.get(above)
    return isinstance(above, ast.keyword) and above.arg == "out"
