"""Repeated indexing: `b[mask]` behind `a[mask]`. What the first says holds for all, and is said once."""

from __future__ import annotations

import ast

from torchperf_lint.facts.index.module import Module, place_of, walk


def is_repeated(module: Module, node: ast.Subscript) -> bool:
    """Whether another subscript with the same index always runs before one, with nothing bound anew in between."""
    function, text = module.function_of(node), ast.unparse(node.slice)
    above = set(map(id, module.ancestors(node)))
    names = {each.id for each in walk(node.slice) if isinstance(each, ast.Name)}
    places = [place_of(store) for name in names for store in function.scope.stores.get(name, ())]
    for other in module.by_type.get(ast.Subscript, ()):
        if (
            not isinstance(other, ast.Subscript)
            or place_of(other) >= place_of(node)
            or ast.unparse(other.slice) != text
        ):
            continue
        statement = module.statement(other)
        is_before = module.function_of(other) is function and id(module.parents[statement]) in above
        if is_before and not any(place_of(other) < place < place_of(node) for place in places):
            return True
    return False
