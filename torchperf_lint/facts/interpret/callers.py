"""Who calls a function of the program, and with what: the arguments of all calls in sight, joined.

A function that only its own file can call (a nested one, one with a leading underscore, any one of a script) is known
by its callers; for the others the callers in sight show what it is used for, so what they pass is likely, and that they
pass something on the host proves nothing of the rest.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import file_traits
from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.join import join_all
from torchperf_lint.facts.domain.value import ANY, BOTTOM, CPU, CUDA, HOST_OR_UNKNOWN, MAYBE, NO, NONE, PINNED, Value
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import may_hide
from torchperf_lint.facts.interpret import classes, containers, devices, instances

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

MANY: Final = 40
"""What more calls pass in sight is not looked at: all of them count or none, for which come first is an accident."""


def sites(analysis: Analysis, function: Function) -> list[ast.Call]:
    """The calls of a function in its own file that are seen to be calls of it."""
    return list(_sites(analysis, function))


def _sites(analysis: Analysis, function: Function) -> Iterator[ast.Call]:
    module = function.module
    if function.name == "__init__" and function.owner is not None:
        yield from _constructions(analysis, function)
        return
    for call in module.calls.get(function.name, ()):
        caller = module.function_of(call)
        match call.func:
            case ast.Name(id=name):
                home = names.scope_of(caller, name)
                if home is not None and function.node in home.scope.stores[name]:
                    yield call
            case ast.Attribute(value=ast.Name(id=receiver), attr=attr) if function.owner is not None:
                method = caller.method
                if method is not None and method.owner is not None and method.positional[:1] == (receiver,):
                    found = classes.find_method(analysis, method.owner, attr)
                    if found is function or _is_below(analysis, function, method.owner):
                        yield call
                elif instances.is_one(module, call.func.value, function.owner):
                    yield call
            case ast.Attribute(value=ast.expr() as holder) if function.owner is not None:
                if instances.is_one(module, holder, function.owner):
                    yield call
    if function.name == "__call__" and function.owner is not None:
        yield from instances.calls(function.owner)
    yield from _mapped(function)


def _is_below(analysis: Analysis, function: Function, owner: Class) -> bool:
    """Whether a method is one that a class above its own calls on itself: `self.compute_loss(batch)` of a base."""
    below = function.owner
    return below is not None and below is not owner and owner in analysis.ancestry(below)


def _mapped(function: Function) -> Iterator[ast.Call]:
    """The calls of `map` that call a function for each item."""
    module = function.module
    for call in module.calls.get("map", ()):
        if isinstance(call.func, ast.Name) and call.args and isinstance(call.args[0], ast.Name):
            home = names.scope_of(module.function_of(call), call.args[0].id)
            if home is not None and function.node in home.scope.stores[call.args[0].id]:
                yield call


def is_mapped(function: Function, call: ast.Call) -> bool:
    """Whether a call in sight of a function is one of `map`."""
    return isinstance(call.func, ast.Name) and call.func.id == "map" and function.name != "map"


def _constructions(analysis: Analysis, function: Function) -> Iterator[ast.Call]:
    """The calls in its own file of a class, or of one that takes over its `__init__`: they call that."""
    assert function.owner is not None
    module = function.module
    for made in (function.owner, *analysis.heirs(module).get(function, ())):
        for call in module.calls.get(made.name, ()):
            if isinstance(call.func, ast.Name):
                home = names.scope_of(module.function_of(call), call.func.id)
                if home is not None and made.node in home.scope.stores[call.func.id]:
                    yield call


def heirs(analysis: Analysis, module: Module) -> dict[Function, list[Class]]:
    """The classes of a file that have no `__init__` of their own, by the one that they take over."""
    found: dict[Function, list[Class]] = {}
    for made in module.classes.values():
        method = classes.find_method(analysis, made, "__init__") if "__init__" not in made.methods else None
        if method is not None:
            found.setdefault(method, []).append(made)
    return found


def is_private(function: Function) -> bool:
    """Whether only its own file can call a function."""
    if function.within is not None and not function.within.is_module and function.owner is None:
        return True
    return function.name.startswith("_") and not function.name.startswith("__")


def fed(analysis: Analysis, function: Function, name: str) -> Value:
    """What the modules of its class in sight are called with, for a parameter of `forward`; one that the host has, as in a
    trial run at the end of a file, says nothing."""
    calls = list(instances.calls(function.owner)) if function.name == "forward" and function.owner else []
    value = passed(analysis, function, name, calls) or ANY
    held = value.items.values() if isinstance(value.items, dict) else ()
    return value if all(each.device in (None, CUDA, MAYBE) for each in (value, *held)) else ANY


def passed(analysis: Analysis, function: Function, name: str, calls: list[ast.Call] | None = None) -> Value | None:
    """What the callers in sight, or some calls, pass for a parameter; None if there are none, or too few tell."""
    calls = analysis.sites(function) if calls is None else calls
    if len(calls) > MANY:
        return None
    known = [value for call in calls if (value := argument_of(analysis, function, call, name)) is not None]
    hidden = len(calls) - len(known)
    if not known or hidden > len(calls) // 2:
        return None
    joined = join_all(tuple(known))
    if joined is BOTTOM:
        return BOTTOM
    value = joined.but(sure=Sure.LIKELY)
    is_closed = not hidden and (is_private(function) or file_traits.is_script(function.module))
    device = _place(analysis, function, calls, value, is_closed=is_closed, is_hidden=bool(hidden))
    if value.kind in ("tensor", "tensor_tree"):
        # A mask of some callers is one of all, since the function uses it as that; numbers of some may be of another dtype.
        return value.but(device=device, dtype="bool" if value.dtype == "bool" else None, grad=None, const=NO)
    value = value.but(device=device, const=value.const if is_closed else NO)
    return value if is_closed and not _is_tried(function, calls) else devices.wherever(value)


def _place(
    analysis: Analysis, function: Function, calls: list[ast.Call], value: Value, *, is_closed: bool, is_hidden: bool
) -> str | None:
    """Where a parameter is, by the calls in sight: that they pass something on the host proves nothing of other calls."""
    if value.device in (CUDA, MAYBE) or (is_closed and not _is_tried(function, calls)):
        return value.device
    is_on_host = not is_hidden and value.device in (CPU, PINNED)
    return HOST_OR_UNKNOWN if is_on_host and _is_own(analysis, function, calls) else None


def _is_tried(function: Function, calls: list[ast.Call]) -> bool:
    """Whether a file of a package only tries a public function of its own, at its end: who imports it passes what they have."""
    module = function.module
    return not is_private(function) and "." in module.name and file_traits.are_guarded(module, calls)


def _is_own(analysis: Analysis, function: Function, calls: list[ast.Call]) -> bool:
    """Whether a module calls a method of its own: others have no reason to."""
    owner = function.owner
    if owner is None or function.name == "forward" or analysis.kind(owner) != "module":
        return False
    methods = (function.module.function_of(call).method for call in calls)
    return all(method is not None and method.owner is owner for method in methods)


def always_give(analysis: Analysis, function: Function, name: str) -> bool:
    """Whether all callers are in sight, and each passes something for a parameter that may be left out.

    Other files of a package import its functions with an underscore, but call no methods of that kind.
    """
    calls = analysis.sites(function)
    is_shared = function.owner is None and function.within is not None and function.within.is_module
    is_closed = file_traits.is_script(function.module) or (is_private(function) and not is_shared)
    if not calls or len(calls) > MANY or not is_closed:
        return False
    given = [argument_of(analysis, function, call, name) for call in calls]
    return all(value is not None and value.kind != "none" and not value.none for value in given)


def agreed(promised: Value, passed: Value) -> Value:
    """What an annotation promises, after a look at what the callers in sight pass, and where they have it."""
    if promised.kind == passed.kind and promised.device is None and passed.device is not None:
        return promised.but(device=passed.device, where=passed.where)
    holds_tensors = passed.elem is not None and passed.elem.kind == "tensor"
    if promised.kind == "tensor" and passed.kind in ("tuple", "list", "number", "size") and not holds_tensors:
        return passed  # the annotation says one thing, and all who call another
    return promised


def kinds(analysis: Analysis, function: Function, name: str) -> set[str]:
    """What kinds of things the callers in sight pass for a parameter, as far as that is known."""
    calls = analysis.sites(function)
    given = (argument_of(analysis, function, call, name) for call in (calls if len(calls) <= MANY else ()))
    return {value.kind for value in given if value is not None}


def argument(function: Function, call: ast.Call, name: str) -> ast.expr | None:
    """The expression that one call passes for a parameter; None where it passes none, or hides it."""
    return _arguments(function.module, (function, call)).get(name)


@once
def _hides(_: Module, call: ast.Call) -> bool:
    return may_hide(call)


@once
def _arguments(_: Module, passing: tuple[Function, ast.Call]) -> dict[str, ast.expr]:
    """The expressions that a call passes, by parameter."""
    function, call = passing
    if may_hide(call):
        return {}
    if is_mapped(function, call):
        return {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    return bound(function, call)


def bound(function: Function, call: ast.Call) -> dict[str, ast.expr]:
    """The expressions that a call which hides nothing passes, by parameter."""
    named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    order = function.positional
    if (
        function.owner is not None
        and not function.is_static
        and (isinstance(call.func, ast.Attribute) or function.name in ("__init__", "__call__", "forward"))
    ):
        order = order[1:]
    return dict(zip(order, call.args, strict=False)) | named


def argument_of(analysis: Analysis, function: Function, call: ast.Call, name: str) -> Value | None:
    """What one call passes for a parameter; None where that is not known."""
    if _hides(function.module, call):
        return None
    caller = function.module.function_of(call)
    if caller is function:
        return None  # a recursion tells nothing new
    if is_mapped(function, call):
        index = function.positional.index(name) + 1 if name in function.positional else len(call.args)
        if index >= len(call.args):
            return None
        items = analysis.value(call.args[index], function.module)
        value = items if items is BOTTOM else containers.iterate(analysis.scratch(caller), items, None)
        return value if value is BOTTOM or value.kind != "unknown" else None
    node = argument(function, call, name)
    if node is None:
        return NONE if name in function.defaults and analysis.default(function, name).kind == "none" else None
    value = analysis.value(node, function.module)
    return value if value is BOTTOM or value.kind != "unknown" else None
