"""What an option holds, as far as calls, defaults and settings in sight tell, and how conditions on it come out.

def __init__(self, kind="window"): self.block = Block(kind)       in `Block`, `kind` is what is passed here: "window",
def forward(self, x): return self.block(x, splits=self.splits[0])     or what those pass who make one of these
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import (
    compared,
    constant_attributes,
    constructions,
    how_often,
    keywords_handed,
    known_callers,
    option_calls,
    settings_held,
)
from torchperf_lint.facts.index import names, reached_uses
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import place_of
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_HANDED_ON: Final = 9
"""So many times an option is followed to the one that a caller hands on."""

How = tuple[frozenset[str], bool, bool]
"""All but the analysis that an answer hangs on: who keeps answers may not hold itself in what they were asked."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Whom to ask."""

    analysis: Analysis
    hot: frozenset[str]
    """The functions that the settings call hot."""
    by_calls: bool = False
    """Whether calls alone tell, some of them in other files, and all in sight."""
    is_written: bool = False
    """Whether no setting tells, nor the default of a command line: what a far caller reads from there, users choose each time."""
    by: tuple[Function, Analysis, ast.Call] | None = None
    """The one call of a function, and the analysis of its file, that tells what is passed to it."""

    @property
    def how(self) -> How:
        return self.hot, self.by_calls, self.is_written

    @property
    def is_told_by_settings(self) -> bool:
        """Whether what settings hold by default counts."""
        return not (self.by_calls or self.is_written)

    def sites(self, function: Function) -> list[ast.Call]:
        """The calls of a function in sight; where some run often, those alone: they are why anybody asks."""
        every = self.analysis.sites(function)
        found = [each for each in every if not _is_second_try(function.module, each)] or every
        return [each for each in found if how_often.of(self.analysis, function.module, each, self.hot).value] or found

    def makings(self, function: Function) -> list[tuple[Asked, ast.Call]]:
        """The calls that make a thing of the class whose method a function is; none where not all are known. Users of a library may
        make more, so that they show no more than what is off by default."""
        if function.owner is None or function.is_static or self.by_calls:
            return []
        made = constructions.everywhere(self.analysis, function.owner) or []
        return [(replace(self, analysis=other, by=None), call) for other, call in made]

    def far(self, function: Function) -> list[tuple[Asked, ast.Call]] | None:
        """The calls of a function in other files, tests aside, each with whom to ask about it; None where not all are known."""
        calls = known_callers.calls(self.analysis, function)
        return None if calls is None else [(replace(self, analysis=other, by=None), call) for other, call in calls]


def _is_second_try(module: Module, call: ast.Call) -> bool:
    """Whether a call stands where control comes after an error alone: what it passes is for that."""
    return any(isinstance(each, ast.ExceptHandler) for each in module.ancestors(call))


def before(above: ast.AST, below: ast.AST) -> Iterator[tuple[ast.expr, bool]]:
    """The conditions that are asked before control comes from one node to one below it, and how they must come out."""
    match above:
        case ast.If(test=test, orelse=orelse) if below is not test:
            yield test, not orelse or place_of(below) < place_of(orelse[0])
        case ast.IfExp(test=test, body=body) if below is not test:
            yield test, below is body
        case ast.BoolOp(op=op, values=values):
            yield from ((each, isinstance(op, ast.And)) for each in takewhile(lambda each: each is not below, values))
        case ast.Match(subject=subject) if isinstance(below, ast.match_case):
            yield from ((each, True) for each in compared.in_case(subject, below.pattern))


def against(asked: Asked, function: Function, test: ast.expr, depth: int = _HANDED_ON, *, wanted: bool) -> str | None:
    """The option by which a condition never comes out as wanted."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return against(asked, function, operand, depth, wanted=not wanted)
        case ast.BoolOp(op=op, values=values) if isinstance(op, ast.And) is wanted:
            found = (against(asked, function, value, depth, wanted=wanted) for value in values)
            return next((name for name in found if name is not None), None)
        case ast.BoolOp(values=values):
            told = [against(asked, function, value, depth, wanted=wanted) for value in values]
            return ast.unparse(test) if None not in told else None
    if _outcomes(asked, function, test, depth) != {not wanted}:
        return None
    return ast.unparse(test.left if compared.is_with_constant(test) else test)


def _outcomes(asked: Asked, function: Function, test: ast.expr, depth: int) -> set[bool | None]:
    """How a condition comes out for all that is held; None where that is not known of some of it."""
    if not compared.is_with_constant(test):
        return {compared.truth(each) for each in _held(asked, function, test, depth)}
    [value] = compared.constant(test.comparators[0]) or [None]
    return {compared.outcome(test.ops[0], each, value) for each in _held(asked, function, test.left, depth)}


def _held(asked: Asked, function: Function, option: ast.expr, depth: int = _HANDED_ON) -> list[object]:
    """All that an option holds as far as calls, defaults and settings tell; nothing where they do not."""
    return _told(asked, function, option, depth) or (
        settings_held.of_key(asked.analysis, option) if asked.is_told_by_settings else []
    )


def _told(asked: Asked, function: Function, option: ast.expr, depth: int) -> list[object]:
    """The same without settings."""
    match option:
        case ast.Name(id=name) if name in function.parameters:
            return _passed(asked, function, option, depth, is_setting=settings_held.is_setting(function, name))
        case ast.Name(id=name):
            return [] if asked.by_calls else _bound(asked, function, name, depth)
        case ast.Attribute(value=held, attr=attr) if (
            found := settings_held.of_attribute(asked.analysis, function, held, attr)
        ) is not None:
            return found if asked.is_told_by_settings or settings_held.is_always_on(function, held, attr) else []
        case ast.Attribute(value=ast.Name(id=receiver), attr=attr):
            method = function.method
            if method is None or method.owner is None or method.positional[:1] != (receiver,):
                return []
            stores = [node for _, node in classes.sites(method.owner).get(attr, ())]
            made = _made_of(asked, method.owner.methods.get("__init__"), stores, depth)
            return made or ([] if asked.by_calls else constant_attributes.of(asked.analysis, method.owner, attr))
        case ast.Subscript(value=held, slice=index) if depth and not isinstance(index, ast.Slice):
            rows = _told(asked, function, held, depth - 1)
            is_known = all(isinstance(each, tuple) for each in rows)
            return compared.each_once(each for row in rows for each in row) if is_known else []  # type: ignore[attr-defined]
        case ast.Call():
            return settings_held.of_getattr(option) or [] if asked.is_told_by_settings else []
        case ast.Compare() if depth and compared.is_with_constant(option):
            outcomes = _outcomes(asked, function, option, depth - 1)
            return [*outcomes] if outcomes in ({True}, {False}) else []
        case ast.UnaryOp(op=ast.Not()) if depth:
            is_on, is_off = (
                against(asked, function, option, depth - 1, wanted=each) is not None for each in (False, True)
            )
            return [is_on] if is_on or is_off else []
    return []


def _bound(asked: Asked, function: Function, name: str, depth: int) -> list[object]:
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


def _made_of(asked: Asked, constructor: Function | None, stores: list[ast.AST], depth: int) -> list[object]:
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
            case ast.Assign(value=ast.Name() as read) if read.id in constructor.parameters:
                found = _passed(asked, constructor, read, depth, is_setting=True)
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


def _is_off(asked: Asked, function: Function, node: ast.AST, depth: int) -> bool:
    """Whether an option keeps control from coming to a node within its function."""
    passed = pairwise((node, *takewhile(lambda above: above is not function.node, function.module.ancestors(node))))
    conditions = (each for below, above in passed for each in before(above, below))
    return any(against(asked, function, test, depth, wanted=wanted) is not None for test, wanted in conditions)


def _passed(asked: Asked, function: Function, read: ast.Name, depth: int, *, is_setting: bool) -> list[object]:
    """What calls in sight pass for a parameter; its default where there are none, or they leave it out. Where it has none, all that
    make a thing of the class tell."""
    name = read.id
    is_chosen = not asked.is_told_by_settings and settings_held.is_command(function)
    if is_chosen or not reached_uses.is_as_passed(function, read):
        return []
    if asked.by is not None and asked.by[0] is function:
        return _given(Asked(asked.by[1], asked.hot, is_written=asked.is_written), function, asked.by[2], name, depth)
    return _by_calls(asked.analysis, (asked.how, function, name, depth, is_setting))


@once
def _by_calls(analysis: Analysis, about: tuple[How, Function, str, int, bool]) -> list[object]:
    """The same, whoever calls: each caller hands on what its own do."""
    how, function, name, depth, is_setting = about
    asked = Asked(analysis, *how)
    found = _by_known_calls(asked, function, name, depth, is_setting=is_setting)
    return found if found or asked.by_calls or not depth else _by_seen_calls(asked, function, name, depth)


def _by_known_calls(asked: Asked, function: Function, name: str, depth: int, *, is_setting: bool) -> list[object]:
    """What is passed as far as all calls are known that may pass it."""
    default = function.defaults.get(name)
    if not isinstance(default, ast.Constant):
        made = asked.makings(function) if function.name == "__init__" and depth else []
        return _all_given(made, function, name, depth)
    sites = [(asked, call) for call in asked.sites(function)]
    neighbours = asked.analysis.around()
    may_be_given = neighbours is not None and neighbours.is_said(asked.analysis, name)
    if may_be_given or asked.by_calls:
        far = asked.far(function) if depth else None
        if far is None or (asked.by_calls and not far):
            return []
        sites += far
    if not sites:
        return [default.value] if is_setting and not option_calls.seen(asked.analysis, function) else []
    return _all_given(sites, function, name, depth)


def _by_seen_calls(asked: Asked, function: Function, name: str, depth: int) -> list[object]:
    """What all calls in sight pass; what a class below leaves as it is, who makes one of the class itself leaves too."""
    calls = option_calls.seen(asked.analysis, function)
    default = compared.constant(function.defaults[name]) if name in function.defaults else None
    is_left = default is not None and any(option_calls.is_from_below(call) for _, call in calls)
    is_sizes = isinstance(function.defaults.get(name), (ast.Tuple, ast.List))
    if not calls and (is_sizes or option_calls.is_made_nowhere(asked.analysis, function)):
        return default or []
    found = _all_given(
        [(replace(asked, analysis=other, is_written=True), call) for other, call in calls], function, name, depth
    )
    return [*found, *default] if found and is_left and default is not None else found


def _all_given(sites: list[tuple[Asked, ast.Call]], function: Function, name: str, depth: int) -> list[object]:
    """All that calls may pass for a parameter; nothing where that of one is not known."""
    held: list[object] = []
    for who, call in sites:
        found = _given(who, function, call, name, depth)
        if not found:
            return []
        held += found
    return compared.each_once(held)


def _given(asked: Asked, function: Function, call: ast.Call, name: str, depth: int) -> list[object]:
    """All that one call may pass for a parameter."""
    given = option_calls.argument(function, call, name) or keywords_handed.argument(asked.analysis.module, call, name)
    if given is None:
        default = compared.constant(function.defaults[name]) if name in function.defaults else None
        return [] if default is None or keywords_handed.may_pass(asked.analysis, call, name) else default
    if (written := compared.constant(given)) is not None:
        return written
    match given:
        case ast.Call() if (found := settings_held.of_getattr(given)) is not None:
            return found if asked.is_told_by_settings else []
        case ast.Name() | ast.Attribute():
            caller = asked.analysis.module.function_of(call)
            if not depth or caller is function:
                return []
            held = _held(asked, caller, given, depth - 1)
            return held or ([compared.GIVEN] if option_calls.is_something(asked.analysis, caller, given) else [])
    return [compared.SIZE if compared.is_size(given) else compared.GIVEN]
