"""Sizes of layers: the whole number that an expression stands for, as code gives it or as it is by default.

    WIDTH = 1024
    class Net(nn.Module):
        def __init__(self, config: Config, ratio=4, vocab=50257):
            self.inner = WIDTH * ratio
            self.up = nn.Linear(WIDTH, self.inner)          1024 and, by default, 4096
            self.head = nn.Linear(WIDTH, vocab)             50257 by default

A default is what most calls get, so it makes a size likely; callers in sight that pass something else say better.
Names, constants, attributes and arithmetic are followed; nothing is run.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.facts.context import file_traits
from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import last_name, may_hide
from torchperf_lint.facts.interpret import callers, classes, lookup

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

DEEP: Final = 8
"""So many names are followed, one through the other."""
_LARGE: Final = 1 << 32

_OPERATORS: Final[dict[type[ast.AST], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv, ast.Mod: operator.mod,
}  # fmt: skip
_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {"int": int, "round": round, "max": max, "min": min, "abs": abs}

Number = int | float


def size(analysis: Analysis, module: Module, node: ast.expr) -> Fact[int]:
    """The whole number that an expression is, or is by default."""
    found = _number(analysis, module, node, DEEP)
    return found if isinstance(found.value, int) and not isinstance(found.value, bool) else Fact(UNKNOWN)


def given(analysis: Analysis, module: Module, call: ast.Call) -> Iterator[Fact[int]]:
    """The whole numbers that a call is given, as far as they are known."""
    every = (*call.args, *(keyword.value for keyword in call.keywords))
    found = (size(analysis, module, each) for each in every)
    yield from (each for each in found if each.known)


def _number(analysis: Analysis, module: Module, node: ast.expr, depth: int) -> Fact[Any]:
    if not depth:
        return Fact(UNKNOWN)
    match node:
        case ast.Constant(value=int() | float() as number):
            return Fact(number, Sure.PROVEN)
        case ast.Name():
            return _of_name(analysis, module, node, depth - 1)
        case ast.Attribute():
            return _of_attribute(analysis, module, node, depth - 1)
        case ast.BinOp(left=left, op=op, right=right) if op.__class__ in _OPERATORS:
            sides = [_number(analysis, module, side, depth) for side in (left, right)]
            return _computed(_OPERATORS[op.__class__], sides)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS and args:
            return _computed(_FUNCTIONS[name], [_number(analysis, module, each, depth) for each in args])
        case ast.IfExp(body=body, orelse=orelse):
            both = [_number(analysis, module, side, depth) for side in (body, orelse)]
            return both[0] if both[0].value == both[1].value else Fact(UNKNOWN)
    return Fact(UNKNOWN)


def _computed(function: Callable[..., Any], parts: list[Fact[Any]]) -> Fact[Any]:
    if not all(part.known for part in parts):
        return Fact(UNKNOWN)
    try:
        result = function(*(part.value for part in parts))
    except (ArithmeticError, TypeError, ValueError):
        return Fact(UNKNOWN)
    if not isinstance(result, (int, float)) or abs(result) > _LARGE:
        return Fact(UNKNOWN)
    because = tuple(dict.fromkeys(evidence for part in parts for evidence in part.because))
    return Fact(result, min(part.sure for part in parts), because)


def _of_name(analysis: Analysis, module: Module, node: ast.Name, depth: int) -> Fact[Any]:
    """What a local name, a name of the module, or a parameter holds."""
    home = names.scope_of(module.function_of(node), node.id)
    if home is None or node.id in home.scope.outer:
        return Fact(UNKNOWN)
    stores = home.scope.stores[node.id]
    if node.id in home.parameters:
        return _of_parameter(analysis, home, node.id, depth) if len(stores) == 1 else Fact(UNKNOWN)
    if isinstance(stores[0], (ast.Import, ast.ImportFrom)):
        return _of_import(analysis, home, node.id, depth)
    return _of_binding(analysis, module, node, depth)


def _of_binding(analysis: Analysis, module: Module, name: ast.Name, depth: int) -> Fact[Any]:
    """What the one assignment gives that binds a name."""
    bound = definitions.only_binding(module, name)
    found = _number(analysis, module, bound, depth) if bound is not None else Fact(UNKNOWN)
    if bound is None or not found.known or found.because:
        return found
    return Fact(found.value, found.sure, (Evidence(bound, f"`{name.id}` is {found.value}", module.path),))


def _of_import(analysis: Analysis, home: Function, name: str, depth: int) -> Fact[Any]:
    """A constant of another module of the project."""
    dotted = names.import_of(home, name)
    place = lookup.find(analysis, dotted) if dotted is not None else None
    if place is None:
        return Fact(UNKNOWN)
    other, last = place
    stores = other.scope.stores.get(last, [])
    if len(stores) != 1 or not isinstance(stores[0], ast.Name):
        return Fact(UNKNOWN)
    return _of_binding(analysis, other.module, stores[0], depth)


def _of_parameter(analysis: Analysis, function: Function, name: str, depth: int) -> Fact[Any]:
    """What the callers in sight pass, if they agree; else the default."""
    passed = []
    calls = analysis.sites(function)[: callers.MANY]
    for call in () if file_traits.is_trial(function.module, calls) else calls:
        argument = callers.argument(function, call, name)
        if argument is not None:
            passed.append(_number(analysis, function.module, argument, depth))
        elif may_hide(call):
            return Fact(UNKNOWN)
    default = function.defaults.get(name)
    if passed:
        agreed = all(each.known and each.value == passed[0].value for each in passed)
        shown = Evidence(
            default or function.parameters[name], f"`{name}` as it is called in sight", function.module.path
        )
        return Fact(passed[0].value, Sure.LIKELY, passed[0].because or (shown,)) if agreed else Fact(UNKNOWN)
    if default is None:
        return Fact(UNKNOWN)
    found = _number(analysis, function.module, default, depth)
    shown = Evidence(default, f"`{name}` by default", function.module.path)
    return Fact(found.value, Sure.LIKELY, (shown,)) if found.known else found


def _of_attribute(analysis: Analysis, module: Module, node: ast.Attribute, depth: int) -> Fact[Any]:
    """`self.width`, `config.width`: what the one place that binds it says, or the default of a field."""
    held = analysis.value(node.value, module)
    if not isinstance(held.ref, Class):
        return Fact(UNKNOWN)
    for owner in analysis.ancestry(held.ref):
        sites = classes.sites_of(owner, node.attr)
        if sites:
            return _of_site(analysis, owner, sites, depth) if len(sites) == 1 else Fact(UNKNOWN)
    return Fact(UNKNOWN)


def _of_site(analysis: Analysis, owner: Class, sites: list[classes.Site], depth: int) -> Fact[Any]:
    function, target = sites[0]
    home = function.module
    statement = home.parents.get(target)
    if (
        not isinstance(statement, (ast.Assign, ast.AnnAssign))
        or statement.value is None
        or isinstance(target, ast.Call)
    ):
        return Fact(UNKNOWN)
    if isinstance(statement, ast.Assign) and statement.targets != [target]:
        return Fact(UNKNOWN)
    found = _number(analysis, home, statement.value, depth)
    if not found.known or not isinstance(target, ast.Name):
        return found
    shown = Evidence(statement, f"`{last_name(target)}` of `{owner.name}` by default", home.path)
    return Fact(found.value, Sure.LIKELY, (shown,))
