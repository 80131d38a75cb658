"""What a call runs and is given, and what of an object is a setting: bound by methods that set up, and by no other.

Knows syntax, and of which kind values are.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import walk
from torchperf_lint.facts.interpret import callers

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

SETTLED: Final = ("number", "string", "device", "dtype", "none")
"""Kinds of values that are no tensors, and do not hang on one."""


def called(facts: Facts, call: ast.Call) -> Function | None:
    """The function of the program that a call runs, or the method of the same object."""
    method = facts.module.function_of(call).method
    match call.func:
        case ast.Attribute(value=ast.Name(id=own), attr=name) if method is not None and own in method.positional[:1]:
            return method.owner.methods.get(name) if method.owner is not None else None
    value = facts.analysis.value(call.func, facts.module)
    if value.kind == "symbol" and isinstance(value.ref, str):
        value = facts.analysis.resolve(value.ref) or value  # another file of the program defines it
    return value.ref if value.kind == "function" and isinstance(value.ref, Function) else None


def given(function: Function, call: ast.Call) -> dict[str, ast.expr] | None:
    """What a call gives to each parameter; None where that is not written there."""
    found = callers.bound(function, call)
    return found if len(found) == len(call.args) + len(call.keywords) else None


def reads_settings(facts: Facts, function: Function) -> bool:
    """Whether all that a method reads of its object are settings; of another file's nobody asks that. Each is worked out once."""
    answers, key = facts.analysis.answers, (reads_settings, function)
    if key not in answers:
        answers[key] = _reads_settings(facts, function)
    found: bool = answers[key]
    return found


def _reads_settings(facts: Facts, function: Function) -> bool:
    if function.owner is None or function.is_static or not function.positional:
        return True
    own = function.positional[0]
    reads = [each for each in walk(function.node) if isinstance(each, ast.Name) and each.id == own]
    owners = [function.module.parents.get(each) for each in reads]
    if function.module is not facts.module:
        return not reads
    return all(isinstance(each, ast.Attribute) and is_setting(facts, each) for each in owners)


def is_setting(facts: Facts, attribute: ast.Attribute) -> bool:
    """Whether methods that set up bind an attribute to what they are given, or to a number, and no other method binds it."""
    function = facts.module.function_of(attribute).method
    owner = function.owner if function is not None else None
    if owner is None or not isinstance(attribute.value, ast.Name):
        return False
    sites = [
        (method.name, each) for method in owner.methods.values() for each in method.sets if each.attr == attribute.attr
    ]
    return bool(sites) and all(
        name in ("__init__", "setup", "__post_init__") and _is_plain(facts, each) for name, each in sites
    )


def _is_plain(facts: Facts, bound: ast.Attribute) -> bool:
    """Whether an attribute is bound to what the constructor is given, or to a number; a parameter or a buffer is none."""
    match facts.module.parents.get(bound):
        case ast.Assign(value=ast.Name(id=name)):
            given = facts.module.function_of(bound).parameters.get(name)
            return given is not None and facts.analysis.value(bound, facts.module).kind in (*SETTLED, "unknown")
        case ast.Assign(value=ast.Tuple(elts=parts) | ast.List(elts=parts)):
            return all(facts.analysis.value(each, facts.module).kind in SETTLED for each in parts)
        case ast.Assign(value=value):
            return facts.analysis.value(value, facts.module).kind in SETTLED
    return False
