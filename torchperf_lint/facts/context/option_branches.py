"""Branches that an option switches off: no call in sight takes them, and the default does not either.

    def __init__(self, scale: float, remap: str | None = None): self.remap = remap
    def forward(self, x):
        if self.remap is not None: ...         only where somebody asks for it

Such code may well be hot for the one who asks; of the others it costs nothing. Where calls alone decide, and all of the
project are in sight, nobody asks. What data a function may be given, as a mask or labels, is no option.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import (
    callers_elsewhere,
    compared,
    constant_attributes,
    constructions,
    how_often,
    known_callers,
    settings_held,
)
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.index import inside, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import ClosedNode, may_hide, place_of
from torchperf_lint.facts.interpret import callers, classes

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_CALLED_FROM: Final = 2
"""So many calls are followed up to where an option is asked."""
_HANDED_ON: Final = 3
"""So many times an option is followed to the one that a caller hands on."""


def off(analysis: Analysis, module: Module, node: ast.AST, hot: frozenset[str]) -> Evidence | None:
    """The option that keeps control from coming to a node, unless somebody asks for it; also one around all calls of its function, or
    around all that make a thing of its class."""
    return _off(_Asked(analysis, hot), module, node, _CALLED_FROM)


def is_never_asked_for(analysis: Analysis, module: Module, node: ast.AST, hot: frozenset[str]) -> bool:
    """Whether calls in other files, and all there are, keep control from coming to a node: no default, no setting, no argument
    of a command line, which a user may give."""
    if off(analysis, module, node, hot) is None:
        return False
    return _off(_Asked(analysis, hot, by_calls=True), module, node, _CALLED_FROM) is not None


def _off(asked: _Asked, module: Module, node: ast.AST, calls: int) -> Evidence | None:
    function = module.function_of(node)
    test = getattr(node, "test", None)
    last = test.values[-1] if isinstance(test, ast.BoolOp) else None  # `if safe and x.isnan().any()` waits in the end
    for below, above in pairwise((*(() if last is None else (last, test)), node, *module.ancestors(node))):
        is_whole = isinstance(above, ClosedNode)
        conditions = () if is_whole else _before(above, below)
        named = ((each, _against(asked, function, each, wanted=wanted)) for each, wanted in conditions)
        found = next((each for each in named if each[1] is not None), None) or _left_before(
            asked, module, function, below
        )
        if found is not None:
            message = f"calls and defaults in sight leave `{found[1]}` so that this branch does not run"
            return Evidence(found[0], message, module.path)
        if is_whole:
            break
    if not calls or function.is_module:
        return None
    is_far = callers_elsewhere.is_called_elsewhere(asked.analysis, function)
    there = [] if is_far else [_off(asked, module, each, calls - 1) for each in asked.sites(function)]
    makings = [_off(other, other.analysis.module, each, calls - 1) for other, each in asked.makings(function)]
    return next((each[0] for each in (there, makings) if each and all(each)), None)


@dataclass(frozen=True, slots=True)
class _Asked:
    """Whom to ask."""

    analysis: Analysis
    hot: frozenset[str]
    """The functions that the settings call hot."""
    by_calls: bool = False
    """Whether calls alone tell, some of them in other files, and all in sight."""

    def sites(self, function: Function) -> list[ast.Call]:
        """The calls of a function in sight; where some run often, those alone: they are why anybody asks."""
        every = self.analysis.sites(function)
        found = [each for each in every if not _is_second_try(function.module, each)] or every
        return [each for each in found if how_often.of(self.analysis, function.module, each, self.hot).value] or found

    def makings(self, function: Function) -> list[tuple[_Asked, ast.Call]]:
        """The calls that make a thing of the class whose method a function is; none where not all are known. Users of a library may
        make more, so that they show no more than what is off by default."""
        if function.owner is None or function.is_static or self.by_calls:
            return []
        made = constructions.everywhere(self.analysis, function.owner) or []
        return [(_Asked(other, self.hot, self.by_calls), call) for other, call in made]

    def far(self, function: Function) -> list[tuple[_Asked, ast.Call]]:
        """The calls of a function in other files, tests aside, each with whom to ask about it; none where not all are known."""
        calls = known_callers.calls(self.analysis, function)
        return [(_Asked(other, self.hot, self.by_calls), call) for other, call in calls]


def _is_second_try(module: Module, call: ast.Call) -> bool:
    """Whether a call stands where control comes after an error alone: what it passes is for that."""
    return any(isinstance(each, ast.ExceptHandler) for each in module.ancestors(call))


def _before(above: ast.AST, below: ast.AST) -> Iterator[tuple[ast.expr, bool]]:
    """The conditions that are asked before control comes from one node to one below it, and how they must come out."""
    match above:
        case ast.If(test=test, orelse=orelse) if below is not test:
            yield test, not orelse or place_of(below) < place_of(orelse[0])
        case ast.IfExp(test=test, body=body) if below is not test:
            yield test, below is body
        case ast.BoolOp(op=op, values=values):
            yield from ((each, isinstance(op, ast.And)) for each in takewhile(lambda each: each is not below, values))


@once
def _seen(_: Analysis, __: tuple[inside.Block, frozenset[str], bool]) -> inside.LeavingSeen:
    """How far a block was looked at."""
    return inside.LeavingSeen()


def _left_before(asked: _Asked, module: Module, function: Function, below: ast.AST) -> tuple[ast.expr, str] | None:
    """The condition, and its option, by which control leaves before it comes to a statement: `if self.first: return f(x)`."""
    place = inside.block_of(module, below) if isinstance(below, ast.stmt) else None
    if place is None:
        return None
    block, number = place
    seen = _seen(asked.analysis, (block, asked.hot, asked.by_calls))
    while seen.found is None and seen.next < len(block.left) and block.left[seen.next][0] < number:
        at, statement = block.left[seen.next]
        seen.next += 1
        name = _against(asked, function, statement.test, wanted=False)
        if name is not None:
            seen.found = at, statement.test, name
    return seen.found[1:] if seen.found is not None and seen.found[0] < number else None


def _against(asked: _Asked, function: Function, test: ast.expr, depth: int = _HANDED_ON, *, wanted: bool) -> str | None:
    """The option by which a condition never comes out as wanted."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _against(asked, function, operand, depth, wanted=not wanted)
        case ast.BoolOp(op=op, values=values) if isinstance(op, ast.And) is wanted:
            found = (_against(asked, function, value, depth, wanted=wanted) for value in values)
            return next((name for name in found if name is not None), None)
        case ast.Compare(left=option, ops=[op], comparators=[right]) if (known := compared.constant(right)) is not None:
            value = known[0]
            outcomes = {compared.outcome(op, each, value) for each in _held(asked, function, option, depth)}
        case _:
            option = test
            outcomes = {
                None if each is compared.GIVEN else bool(each) for each in _held(asked, function, option, depth)
            }
    return ast.unparse(option) if outcomes == {not wanted} else None


def _held(asked: _Asked, function: Function, option: ast.expr, depth: int = _HANDED_ON) -> list[object]:
    """All that an option holds as far as calls, defaults and settings tell; nothing where they do not."""
    return _told(asked, function, option, depth) or (
        [] if asked.by_calls else settings_held.of_key(asked.analysis, option)
    )


def _told(asked: _Asked, function: Function, option: ast.expr, depth: int) -> list[object]:
    """The same without settings."""
    match option:
        case ast.Name(id=name) if name in function.parameters:
            return _passed(asked, function, name, depth, is_setting=settings_held.is_setting(function, name))
        case ast.Name(id=name):
            return [] if asked.by_calls else _bound(asked, function, name, depth)
        case ast.Attribute(value=held, attr=attr) if (
            found := settings_held.of_attribute(asked.analysis, function, held, attr)
        ) is not None:
            return [] if asked.by_calls else found
        case ast.Attribute(value=ast.Name(id=receiver), attr=attr):
            method = function.method
            if method is None or method.owner is None or method.positional[:1] != (receiver,):
                return []
            stores = [node for _, node in classes.sites(method.owner).get(attr, ())]
            made = _made_of(asked, method.owner.methods.get("__init__"), stores, depth)
            return made or ([] if asked.by_calls else constant_attributes.of(asked.analysis, method.owner, attr))
        case ast.Call():
            return [] if asked.by_calls else settings_held.of_getattr(option) or []
        case ast.UnaryOp(op=ast.Not()) | ast.Compare() if depth:
            is_on, is_off = (
                _against(asked, function, option, depth - 1, wanted=each) is not None for each in (False, True)
            )
            return [is_on] if is_on or is_off else []
    return []


def _bound(asked: _Asked, function: Function, name: str, depth: int) -> list[object]:
    """What a name holds that is bound once: one of the file to a constant, one of the function to an option."""
    home = names.scope_of(function, name)
    if home is None:
        return []
    match [function.module.parents.get(store) for store in home.scope.stores[name]]:
        case [ast.Assign(value=ast.Constant(value=value))] | [ast.AnnAssign(value=ast.Constant(value=value))]:
            return [value] if home is function.module.body else []
        case [ast.Assign(targets=[ast.Name()], value=value)] if depth and home is function:
            return _held(asked, function, value, depth - 1)
    return []


def _made_of(asked: _Asked, constructor: Function | None, stores: list[ast.AST], depth: int) -> list[object]:
    """What an attribute holds that the constructor takes over from a parameter, or sets by an option."""
    if not depth or constructor is None:
        return []
    if any(constructor.module.function_of(each) is not constructor for each in stores):
        return []
    held: list[object] = []
    for store in stores:
        if len(stores) > 1 and _is_off(asked, constructor, store, depth - 1):
            continue
        match constructor.module.parents.get(store):
            case ast.Assign(value=ast.Name(id=name)) if name in constructor.parameters:
                found = _passed(asked, constructor, name, depth, is_setting=True)
            case ast.Assign(value=ast.Constant(value=value)) if len(stores) > 1:
                found = [value]
            case ast.Assign(
                value=ast.UnaryOp() | ast.Compare() | ast.Attribute() | ast.Subscript() | ast.Call() as given
            ):
                found = _held(asked, constructor, given, depth - 1)
            case _:
                return []
        if not found:
            return []
        held += found
    return held


def _is_off(asked: _Asked, function: Function, node: ast.AST, depth: int) -> bool:
    """Whether an option keeps control from coming to a node within its function."""
    passed = pairwise((node, *takewhile(lambda above: above is not function.node, function.module.ancestors(node))))
    conditions = (each for below, above in passed for each in _before(above, below))
    return any(_against(asked, function, test, depth, wanted=wanted) is not None for test, wanted in conditions)


def _passed(asked: _Asked, function: Function, name: str, depth: int, *, is_setting: bool) -> list[object]:
    """What calls in sight pass for a parameter; its default where there are none, or they leave it out. Where it has none, all that
    make a thing of the class tell."""
    default = function.defaults.get(name)
    if len(function.scope.stores.get(name, ())) != 1:
        return []
    if not isinstance(default, ast.Constant):
        made = asked.makings(function) if function.name == "__init__" and depth else []
        return _all_given(made, function, name, depth)
    sites = [(asked, call) for call in asked.sites(function)]
    neighbours = asked.analysis.around()
    may_be_given = neighbours is not None and neighbours.is_said(asked.analysis, name)
    if may_be_given or asked.by_calls:
        far = asked.far(function) if depth else []
        if not far:
            return []
        sites += far
    if not sites:
        return [default.value] if is_setting else []
    return _all_given(sites, function, name, depth)


def _all_given(sites: list[tuple[_Asked, ast.Call]], function: Function, name: str, depth: int) -> list[object]:
    """All that calls may pass for a parameter; nothing where that of one is not known."""
    held: list[object] = []
    for who, call in sites:
        found = _given(who, function, call, name, depth)
        if not found:
            return []
        held += found
    return held


def _given(asked: _Asked, function: Function, call: ast.Call, name: str, depth: int) -> list[object]:
    """All that one call may pass for a parameter."""
    named = next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
    given = named if named is not None else callers.argument(function, call, name)
    match given:
        case None:
            default = function.defaults.get(name)
            return [default.value] if isinstance(default, ast.Constant) and not may_hide(call) else []
        case ast.Constant(value=value):
            return [value]
        case ast.Call() if (found := settings_held.of_getattr(given)) is not None:
            return [] if asked.by_calls else found
        case ast.Name() | ast.Attribute():
            caller = asked.analysis.module.function_of(call)
            return _held(asked, caller, given, depth - 1) if depth and caller is not function else []
    return [compared.GIVEN]
