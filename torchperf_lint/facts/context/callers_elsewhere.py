"""The calls of a function in other files than its own, as the interpreter of those files sees them.

    matching.py    class Matcher:                          engine.py    matcher = Matcher()
                       def match(self, boxes): ...                      matcher.match(boxes)       a call of it
                                                           other.py     regex.match(text)          none

A call counts where it is known what is called; the rest is unknown, and says nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchperf_lint.facts.context import handed_over, in_tests
from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.facts.interpret import classes, instances
from torchperf_lint.facts.project.asked import MANY

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis
    from torchperf_lint.facts.project.neighbours import Neighbours

Key = tuple[str, str, int]
"""What two records of one class share: each file is outlined for itself."""
Site = tuple["Analysis", ast.Call]
"""A call, and the analysis of the file that it stands in."""


def candidates(analysis: Analysis, function: Function, most: int = MANY) -> list[Site]:
    """The calls in so many other files that may be calls of a function, by what they call; `is_one` looks closer."""
    neighbours = analysis.around()
    if neighbours is None or not can_be_called(function):
        return []
    key = (function, most)
    if key not in neighbours.sites:
        around = (each for each in others(analysis, function, neighbours, most) if each.module is not function.module)
        called = [(each, call) for each in around for call in _named_calls(each, function)]
        neighbours.sites[key] = [*called, *_handed(analysis, function, neighbours)]
    return neighbours.sites[key]


def _handed(analysis: Analysis, function: Function, neighbours: Neighbours) -> Iterator[Site]:
    """The calls in functions that are handed a function, in its own file or another."""
    seen: set[handed_over.Handed] = set()
    for other in (analysis, *others(analysis, function, neighbours)):
        for given in _handed_by(other, function):
            home = neighbours.home(given[0].module) if given not in seen else None
            seen.add(given)
            for call in handed_over.calls_of(given) if home is not None else ():
                neighbours.handed.setdefault(function, set()).add(call)
                yield home, call  # type: ignore[misc]


def _handed_by(other: Analysis, function: Function) -> list[handed_over.Handed]:
    """To what a file hands a function; what takes too long to see is unknown."""
    try:
        return [
            given
            for node, given in handed_over.handed(other, frozenset(names_of(other, function)))
            if _is_same(_function(other, other.value(node, other.module)), function)
        ]
    except GaveUpError:
        return []


def is_one(analysis: Analysis, site: Site, function: Function) -> bool:
    """Whether a candidate is seen to be a call of a function; what takes too long to see is unknown."""
    other, call = site
    if is_handed(analysis, site, function):
        return True
    above = {key_of(each) for each in analysis.ancestry(function.owner)[1:]} if function.owner is not None else set()
    if _is_on_itself(other, call, above):
        return True
    try:
        return _is_same(target(other, call, function), function)
    except GaveUpError:
        return False


def calls(analysis: Analysis, function: Function) -> Iterator[Site]:
    """The calls in other files that are seen to be calls of a function, tests aside."""
    for site in candidates(analysis, function):
        other, call = site
        if not in_tests.is_test(other.module.function_of(call)) and is_one(analysis, site, function):
            yield site


def is_on_another(analysis: Analysis, site: Site, function: Function) -> bool:
    """Whether a call is one on `self` of a class that has something else under that name: nothing needs to run to see it."""
    other, call = site
    owner = _of_self(other, call.func) if isinstance(call.func, ast.Attribute) else None
    return owner is not None and not is_one(analysis, site, function)


def is_handed(analysis: Analysis, site: Site, function: Function) -> bool:
    """Whether a call runs what its function was handed, and that is a function: known from where it was handed over."""
    neighbours = analysis.around()
    return neighbours is not None and site[1] in neighbours.handed.get(function, ())


def may_be_reached(analysis: Analysis, function: Function) -> bool:
    """Whether another file may call a function, or what calls it in its own; none is read for that."""
    if analysis.around() is None:
        return False
    known = _known(analysis, function.module)
    if function not in known:
        known.update(_reached(analysis, function, known))
    return known[function]


@once
def _known(_: Analysis, __: Module) -> dict[Function, bool]:
    """Of functions that somebody has asked about, and of what calls them: whether they may be reached."""
    return {}


def _reached(analysis: Analysis, function: Function, known: dict[Function, bool]) -> dict[Function, bool]:
    """Whether a function, and each of its callers in the file that is not known yet, may be reached: each is asked once."""
    found, todo = {function: False}, [function]
    called: dict[Function, list[Function]] = {}
    sure: list[Function] = []
    while todo:
        at = todo.pop()
        if known.get(at, False) or is_called_elsewhere(analysis, at):
            sure.append(at)
        elif at not in known:
            for each in callers_in_file(analysis, at):
                called.setdefault(each, []).append(at)
                if each not in found:
                    found[each] = False
                    todo.append(each)
    while sure:
        at = sure.pop()
        if not found[at]:
            found[at] = True
            sure += called.get(at, [])
    return found


def callers_in_file(analysis: Analysis, function: Function) -> list[Function]:
    """What a function stands in, and what calls it in its file."""
    around = [function.within] if function.within is not None else []
    around += [function.module.function_of(call) for call in analysis.sites(function)]
    return [each for each in around if not each.is_module]


def is_called_elsewhere(analysis: Analysis, function: Function) -> bool:
    """Whether another file may call a function itself."""
    neighbours = analysis.around()
    if neighbours is None or not can_be_called(function):
        return False
    if handed_over.is_handed(function) or neighbours.has_callers(analysis, *said(function)):
        return True
    return _is_called_above(analysis, function)


def _is_called_above(analysis: Analysis, function: Function) -> bool:
    """Whether a class above a method's own, in another file, may call it on `self`."""
    above = analysis.ancestry(function.owner)[1:] if function.owner is not None else ()
    return any(each.module is not function.module and each.module.calls_one(function.name) for each in above)


def said(function: Function) -> tuple[str, str | None]:
    """The name that who calls a function must say, and that of its class."""
    owner = function.owner.name if function.owner is not None else None
    return (owner if owner is not None and function.name == "__call__" else function.name), owner


def can_be_called(function: Function) -> bool:
    """Whether other files can name a function: one in a function is handed on at most, and `__init__` makes a thing once."""
    within = function.within
    return within is not None and within.is_module and function.name not in ("__init__", "<lambda>")


def others(analysis: Analysis, function: Function, neighbours: Neighbours, most: int = MANY) -> Iterator[Analysis]:
    """The files that may call a function: those that the index names, and those of the classes above its own."""
    owner, seen, said_of = function.owner, [], (function.name, said(function)[0])
    for other in neighbours.callers(analysis, *said(function), most):
        seen.append(other)
        yield other
    for above in analysis.ancestry(owner)[1:] if owner is not None else ():
        may_call = above.module is not function.module and any(map(above.module.says, said_of))
        home = neighbours.home(above.module) if may_call else None
        if home is not None and home not in seen:
            seen.append(home)
            yield home


def _named_calls(other: Analysis, function: Function) -> Iterator[ast.Call]:
    is_of_instances = function.name == "__call__"
    for name in _instances(other, function) if is_of_instances else names_of(other, function):
        yield from other.module.calls.get(name, ())


def _instances(other: Analysis, function: Function) -> list[str]:
    """What a file calls the instances that it makes of the class of a `__call__`."""
    assert function.owner is not None
    made = other.module.spelled(frozenset((function.owner.name,)))
    return sorted(name for each in made for name in instances.bound_to(other.module, each))


def names_of(other: Analysis, function: Function) -> list[str]:
    """What a file may call a function: by its name, by the one that an import gives it, by what is bound to it."""
    spelled = other.module.spelled(frozenset((function.name,)))
    bound = _bound(other.module, None)
    return sorted({*spelled, *(name for each in spelled for name in bound.get(each, ()))} - {""})


@once
def _bound(module: Module, _: None) -> dict[str, set[str]]:
    """By each name that an assignment reads for itself, or for a `partial`, the names that it binds."""
    found: dict[str, set[str]] = {}
    for node in module.by_type.get(ast.Assign, ()):
        match node:
            case ast.Assign(value=ast.Call(func=called, args=[value, *_])) if last_name(called) == "partial":
                pass
            case ast.Assign(value=value):
                pass
        if isinstance(value, (ast.Name, ast.Attribute)):
            found.setdefault(last_name(value), set()).update(map(last_name, node.targets))  # type: ignore[attr-defined]
    return found


def target(other: Analysis, call: ast.Call, function: Function) -> Function | None:
    """What a call is seen to call."""
    called = call.func
    if function.name == "__call__":
        return _method(other, other.value(called, other.module), "__call__")
    if isinstance(called, ast.Name):
        around = other.module.function_of(called)
        found = other.value(called, other.module) if called.id in around.scope.stores else other.free(around, called.id)
        return _function(other, found)
    if not isinstance(called, ast.Attribute):
        return None
    dotted = names.dotted(other.module.function_of(called), called)
    if dotted is not None and (found_there := other.resolve(dotted)) is not None:
        return _function(other, found_there)
    is_above = False
    owner: object = _of_self(other, called)  # what a value refers to may be anything, the name of a symbol too
    if owner is None:
        held = other.value(called.value, other.module)
        owner, is_above = held.ref, held.kind == "super"
    if not isinstance(owner, Class):
        return None
    method = classes.find_method(other, owner, called.attr, is_above=is_above)
    if method is not None or is_above:
        return method
    kept = other.class_attribute(owner, called.attr)
    return _function(other, kept) if kept is not None else None


def _of_self(other: Analysis, called: ast.Attribute) -> Class | None:
    """The class of a method that calls something on `self`: nothing needs to run for that."""
    method = other.module.function_of(called).method
    is_own = method is not None and isinstance(called.value, ast.Name) and method.positional[:1] == (called.value.id,)
    return method.owner if method is not None and is_own and not method.is_static else None


def _function(other: Analysis, value: Value) -> Function | None:
    if value.kind == "symbol":
        found = other.resolve(value.ref)
        value = found if found is not None else value
    return value.ref if value.kind == "function" and isinstance(value.ref, Function) else None


def _method(other: Analysis, holder: Value, name: str) -> Function | None:
    """The method that a value has under a name."""
    return classes.find_method(other, holder.ref, name) if isinstance(holder.ref, Class) else None


def _is_on_itself(other: Analysis, call: ast.Call, above: set[Key]) -> bool:
    """Whether a class above a method's own calls it on `self`: each class below answers such a call."""
    match call.func:
        case ast.Attribute(value=ast.Name(id=receiver)):
            method = other.module.function_of(call).method
            return (
                method is not None
                and method.owner is not None
                and method.positional[:1] == (receiver,)
                and key_of(method.owner) in above
            )
    return False


def key_of(of: Class | Function) -> Key:
    """What two records of one class, or one function, share."""
    return of.module.path, of.qualname, of.line


def _is_same(found: Function | None, function: Function) -> bool:
    """Whether two records are of one function."""
    return found is not None and (found is function or key_of(found) == key_of(function))
