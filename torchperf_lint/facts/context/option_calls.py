"""The calls in sight that tell what an option of a function holds, by whatever name they call it.

    class Block(nn.Module):
        def __init__(self, kind="window"): ...    Block(kind)                 makes one
        def forward(self, x, splits=None): ...    self.block(x, splits=2)     calls one
    class Large(Net):
        def __init__(self):
            super().__init__("window")            makes what it has of the class above

Others may be out of sight. What takes too long to see is unknown.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.context import callers_elsewhere, constructions
from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.index.once import NOBODY, Nobody, once
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.interpret import callers

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis
    from torchperf_lint.facts.project.neighbours import Neighbours


def seen(analysis: Analysis, function: Function) -> list[callers_elsewhere.Site]:
    """The calls of a function in its own file, and in others that name its class."""
    return _seen(analysis.around() or NOBODY, (analysis, function))


@once
def _seen(_: Neighbours | Nobody, about: tuple[Analysis, Function]) -> list[callers_elsewhere.Site]:
    analysis, function = about
    neighbours, owner = analysis.around(), function.owner
    found = [(analysis, call) for call in analysis.sites(function)]
    try:
        if owner is None:
            return [*found, *callers_elsewhere.calls(analysis, function)]
        others = neighbours.callers(analysis, owner.name, None) if neighbours is not None else []
        found += [(analysis, call) for call in _of_class(analysis, function, owner)]
        for other in others:
            calls = [*_makings(other, function, owner), *_of_class(other, function, owner)]
            found += [(other, call) for call in calls]
    except GaveUpError:
        return []
    return found


def is_made_nowhere(analysis: Analysis, function: Function) -> bool:
    """Whether a function is the constructor of a class that no other file may make: notebooks, and users of a library, leave most of
    what it takes as it is."""
    neighbours, owner = analysis.around(), function.owner
    if function.name != "__init__" or owner is None or neighbours is None:
        return False
    return not neighbours.has_callers(analysis, owner.name, None)


def argument(function: Function, call: ast.Call, name: str) -> ast.expr | None:
    """What a call passes for a parameter; what `**settings` hands on is none of those that are written out."""
    if callers.is_mapped(function, call) or any(isinstance(each, ast.Starred) for each in call.args):
        return next((each.value for each in call.keywords if each.arg == name), None)
    return callers.bound(function, call).get(name)


def is_something(analysis: Analysis, caller: Function, given: ast.expr) -> bool:
    """Whether what a function hands on is never None: a number, or what its own callers have to give, where none in sight gives None."""
    if analysis.value(given, caller.module).kind in ("number", "size"):
        return True
    if not isinstance(given, ast.Name) or given.id not in caller.parameters or given.id in caller.defaults:
        return False
    passed = [argument(caller, call, given.id) for _, call in seen(analysis, caller)]
    is_written = any(each is None or (isinstance(each, ast.Constant) and each.value is None) for each in passed)
    return bool(passed) and not is_written and len(caller.scope.stores[given.id]) == 1


def is_from_below(call: ast.Call) -> bool:
    """Whether it is a class below that calls, with what it takes itself: `super().__init__(kind)`."""
    return isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call)


def _makings(other: Analysis, function: Function, owner: Class) -> list[ast.Call]:
    """The calls in another file that make things of a class."""
    if function.name != "__init__":
        return []
    above = ((read, other.module.parents.get(read)) for read in constructions.reads(other, owner))
    return [call for read, call in above if isinstance(call, ast.Call) and call.func is read]


def _of_class(other: Analysis, function: Function, owner: Class) -> list[ast.Call]:
    """The calls in a file of a method by what is no name of its own: of things of its class, or by `super()`."""
    if function.name == "forward":
        return _of_things(other, None).get(callers_elsewhere.key_of(owner), [])
    if function.name != "__init__":
        return []
    from_below = (call for call in other.module.calls.get("__init__", ()) if is_from_below(call))
    return [call for call in from_below if callers_elsewhere.is_one(other, (other, call), function)]


@once
def _of_things(other: Analysis, _: None) -> dict[callers_elsewhere.Key, list[ast.Call]]:
    """The calls in a file of modules, by their classes."""
    found: dict[callers_elsewhere.Key, list[ast.Call]] = {}
    for call in (call for calls in other.module.calls.values() for call in calls):
        held = other.value(call.func, other.module)
        if held.kind == "module" and isinstance(held.ref, Class):
            found.setdefault(callers_elsewhere.key_of(held.ref), []).append(call)
    return found
