"""Functions that are handed to other functions, and where those call them.

    train.py     fit(model, loader, on_batch=note)           hands `note` over
    engine.py    def fit(model, loader, on_batch):
                     for batch in loader: on_batch(batch)    calls it
    hooks.py     class Runner:
                     def __init__(self, step): self.step = step
                     def run(self, batch): self.step(batch)  calls what it was made with

Followed where it is seen what a function is handed to, and that calls its parameter, or what a method keeps of it, by name.
What is put into a list, a table or a decorator is not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import last_name, may_hide
from torchperf_lint.facts.interpret import callers, classes

if TYPE_CHECKING:
    from torchperf_lint.facts.domain.value import Value
    from torchperf_lint.facts.interpret.analysis import Analysis

Handed = tuple[Function, str]
"""To which function something is handed, and for which parameter."""


def is_handed(function: Function) -> bool:
    """Whether the file of a function hands over something of its name."""
    return function.name in _passing(function.module, None)


@once
def _passing(module: Module, _: None) -> dict[str, list[tuple[int, ast.Call]]]:
    """The calls of a file by the last names of what they pass, each with its number."""
    found: dict[str, list[tuple[int, ast.Call]]] = {}
    for number, call in enumerate(chain.from_iterable(module.calls.values())):
        given = (*call.args, *(keyword.value for keyword in call.keywords))
        for name in {last_name(each) for each in given if isinstance(each, (ast.Name, ast.Attribute))}:
            found.setdefault(name, []).append((number, call))
    return found


def handed(other: Analysis, said: frozenset[str]) -> Iterator[tuple[ast.expr, Handed]]:
    """What a file hands over under some names, and to which parameters of functions of the project."""
    passing = _passing(other.module, None)
    calls = {number: call for name in said for number, call in passing.get(name, ())}
    for _, call in sorted(calls.items()):
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        passed = [each for each in given if isinstance(each, (ast.Name, ast.Attribute)) and last_name(each) in said]
        callee = _callee(other, call) if not may_hide(call) else None
        if callee is None:
            continue
        bound = callers.bound(callee, call)
        yield from ((node, (callee, name)) for name, node in bound.items() if any(node is each for each in passed))


def _callee(other: Analysis, call: ast.Call) -> Function | None:
    """The function of the project that a call runs; of a class, what makes its things."""
    dotted = names.dotted(other.module.function_of(call), call.func)
    found: Value | None = other.resolve(dotted) if dotted is not None else None
    if found is None:
        found = other.value(call.func, other.module)
    if found is None or found.items:
        return None  # unknown, or a `partial`
    if isinstance(found.ref, Class) and found.kind == "class":
        return classes.find_method(other, found.ref, "__init__")
    return found.ref if isinstance(found.ref, Function) and found.kind == "function" else None


def is_option(analysis: Analysis, function: Function) -> bool:
    """Whether a function is a lambda that something of which nothing is known is given under a name: it calls that or not.

    policy(batch, pick_first=lambda each: pick(each))      what a policy does with it, its own file says
    scores.sort(key=lambda each: each.item())              a list calls it
    """
    module = function.module
    given = module.parents.get(function.node) if isinstance(function.node, ast.Lambda) else None
    call = module.parents.get(given) if isinstance(given, ast.keyword) and given.arg is not None else None
    if not isinstance(call, ast.Call) or names.dotted(module.function_of(call), call.func) is not None:
        return False
    called = analysis.value(call.func, module)
    holder = analysis.value(call.func.value, module) if isinstance(call.func, ast.Attribute) else called
    return called.kind == holder.kind == "unknown"


def calls_of(given: Handed) -> Iterator[ast.Call]:
    """Where a function calls what it is handed, or its class what it keeps of that."""
    function, name = given
    yield from _by_name(function, name)
    owner, receiver = function.owner, function.positional[:1]
    if owner is None or not receiver:
        return
    for attr in _kept(function, name):
        for call in owner.module.calls.get(attr, ()):
            method = owner.module.function_of(call).method
            match call.func:
                case ast.Attribute(value=ast.Name(id=holder)) if method is not None and method.owner is owner:
                    if method.positional[:1] == (holder,):
                        yield call


def _by_name(function: Function, name: str) -> Iterator[ast.Call]:
    for call in function.module.calls.get(name, ()):
        if not isinstance(call.func, ast.Name):
            continue
        at: Function | None = function.module.function_of(call)
        while at is not None and name not in at.scope.stores:
            at = at.within
        if at is function and len(function.scope.stores[name]) == 1:
            yield call


def _kept(function: Function, name: str) -> Iterator[str]:
    """The attributes that a method binds to a parameter, each bound nowhere else in the class."""
    assert function.owner is not None
    for node in function.sets:
        match function.module.parents.get(node):
            case ast.Assign(value=ast.Name(id=read)) if read == name:
                if len(classes.sites(function.owner).get(node.attr, ())) == 1:
                    yield node.attr
