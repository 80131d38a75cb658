"""The mode of a model that is set at each turn of a loop, and that nothing in the loop changes.

    for batch in loader:
        model.eval()                goes through all of its modules, batch by batch
        out = model(batch)

Whoever is handed the model may switch it, then or later, so nothing is said. Knows syntax, and what is a module.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import blocks, inside
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.module import Module

_MODES: Final = ("train", "eval")


def candidates(module: Module) -> Iterator[ast.AST]:
    """The switches that stand in loops, as statements."""
    for name in _MODES:
        for call in module.calls.get(name, ()):
            if isinstance(module.parents.get(call), ast.Expr) and blocks.loop(module, call) is not None:
                yield call


def is_set_again(facts: Facts, call: ast.AST) -> bool:
    """Whether a call sets the mode of a model, at each turn of a loop, that the turn before left as it is."""
    module = facts.module
    match call:
        case ast.Call(func=ast.Attribute(value=model, attr=name), args=[], keywords=[]) if name in _MODES:
            pass
        case _:
            return False
    loop = blocks.loop(module, call)
    if loop is None or module.parents.get(module.parents.get(call, call)) is not loop:
        return False
    if facts.analysis.value(model, module).kind not in ("module", "unknown"):
        return False
    root = model
    while isinstance(root, ast.Attribute):
        root = root.value
    bound = inside.names(module, loop).get(root.id, []) if isinstance(root, ast.Name) else None
    if bound is None or any(not isinstance(each.ctx, ast.Load) for each in bound):
        return False
    text, function = ast.unparse(model), module.function_of(call).node
    within = inside.calls(module, loop)
    if any(_is_handed(each, text) for each in inside.calls(module, function)):
        return False
    return not any(_may_switch(each, call, text) for each in within)


def _is_handed(other: ast.Call, model: str) -> bool:
    """Whether a call is handed the model, or what holds it: it may keep it, and switch it later."""
    holders = (model, model.partition(".")[0])
    given = (*other.args, *(each.value for each in other.keywords))
    return any(ast.unparse(each) in holders for each in given if isinstance(each, (ast.Name, ast.Attribute)))


def _may_switch(other: ast.Call, call: ast.Call, model: str) -> bool:
    """Whether another call of the loop may change the mode: it sets one, or is a method of what holds the model."""
    if other is call:
        return False
    if last_name(other.func) in _MODES:
        return True
    holder = other.func.value if isinstance(other.func, ast.Attribute) else None
    is_held = "." in model and isinstance(holder, ast.Name) and holder.id == model.partition(".")[0]
    return is_held and ast.unparse(other.func) != model
