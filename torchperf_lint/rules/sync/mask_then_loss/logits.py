"""Where the classes are in the logits that a loss is given, and whether a mask moved them there.

    rows = logits.permute(0, 2, 3, 1)        the classes go to the end, so that a mask of the labels fits
    loss(rows[mask], labels[mask])           without the mask they may stay in dimension 1, where losses want them

Knows syntax, and ranks where they are known.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import place_of

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


def classes_first(analysis: Analysis, module: Module, logits: ast.expr) -> tuple[ast.expr, bool]:
    """Logits with the classes in dimension 1, and whether they are in the last and nobody knows which that is."""
    held: ast.expr = logits
    if isinstance(held, ast.Name):
        binding = definitions.reaching(module, held)
        held = (definitions.value_of(module, binding) if binding is not None else None) or held
    match held:
        case ast.Call(func=ast.Attribute(attr="reshape" | "view"), args=[ast.UnaryOp(), _]):
            return logits, False  # x.reshape(-1, classes)
        case ast.Call(func=ast.Attribute(value=inner, attr="contiguous"), args=[]):
            return classes_first(analysis, module, inner)
        case ast.Call(func=ast.Attribute(value=inner, attr=method), args=args):
            if names.dotted(module.function_of(held), held.func) is not None and args:
                inner, args = args[0], args[1:]
            if _moves_classes_last(method, args) and _means_the_same(module, inner, logits):
                return inner, False
    rank = analysis.value(logits, module).rank
    return logits, rank != 2


def _means_the_same(module: Module, inner: ast.expr, logits: ast.expr) -> bool:
    """Whether a name means the same in the definition of another as where that one is read."""
    if not isinstance(inner, ast.Name) or inner is logits:
        return not isinstance(inner, ast.Name)
    function = module.function_of(logits)
    stores = function.scope.stores.get(inner.id, ())
    return not any(place_of(inner) < place_of(store) < place_of(logits) for store in stores)


def _moves_classes_last(method: str, args: list[ast.expr]) -> bool:
    """Whether a method moves dimension 1 to the end and keeps the order of the others."""
    listed = args[0].elts if len(args) == 1 and isinstance(args[0], (ast.List, ast.Tuple)) else args
    try:
        order = [ast.literal_eval(each) for each in listed]
    except ValueError:
        return False
    match method:
        case "permute":
            return len(order) > 2 and order == [0, *range(2, len(order)), 1]
        case "movedim":
            return order == [1, -1]
        case "transpose":
            return order in ([1, 2], [2, 1])
    return False
