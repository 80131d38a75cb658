"""A dictionary of all that a module has, made anew at each turn of a loop for one of its entries.

    for token in tokens: model.state_dict()["embedding.weight"][token] = ...

Knows syntax and names alone.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import blocks
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

LISTING: Final = frozenset(("state_dict", "named_parameters", "named_buffers", "named_modules"))
_DICTS: Final = frozenset(("dict", "OrderedDict"))
_OF_OTHERS: Final = frozenset(
    "scale growth_factor _growth_tracker param_groups state last_epoch _step_count _last_lr".split()
)
"""What the states of scalers, optimizers and schedulers hold: it changes from step to step."""


def is_made_for_one(facts: Facts, call: ast.AST) -> bool:
    """Whether all entries of a module are listed in a loop, to take the same one each time: `model.state_dict()["weight"]`."""
    match call:
        case ast.Call(func=ast.Attribute(value=of, attr=name), args=[], keywords=[]) if name in LISTING:
            pass
        case _:
            return False
    module = facts.module
    at: ast.AST = call
    match module.parents.get(call):
        case ast.Call(func=ast.Name(id=made), args=[given]) as around if made in _DICTS and given is call:
            at = around
        case _ if name != "state_dict":
            return False
    above = module.parents.get(at)
    if not isinstance(above, ast.Subscript) or above.value is not at:
        return False
    if isinstance(above.slice, ast.Constant) and above.slice.value in _OF_OTHERS:
        return False
    loop = blocks.loop(module, call)
    return loop is not None and not _is_bound_in(module, loop, of) and not _is_bound_in(module, loop, above.slice)


def _is_bound_in(module: Module, loop: ast.AST, of: ast.expr) -> bool:
    """Whether a loop has another module, or another entry, at each turn, for all that its text shows."""
    names = {each.id for each in walk(of) if isinstance(each, ast.Name)}
    function = module.function_of(loop)
    within = set(map(id, walk(loop)))
    return any(id(store) in within for name in names for store in function.scope.stores.get(name, ()))
