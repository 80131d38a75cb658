"""Branches that an option switches off: no call in sight takes them, and the default does not either.

    def __init__(self, scale: float, remap: str | None = None): self.remap = remap
    def forward(self, x):
        if self.remap is not None: ...         only where somebody asks for it

Such code may well be hot for the one who asks; of the others it costs nothing. Where calls alone decide, and all of the
project are in sight, nobody asks. What data a function may be given, as a mask or labels, is no option.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import (
    callers_elsewhere,
    constructions,
    gates,
    how_often,
    option_values,
    passed_elsewhere,
    roles,
    unused,
)
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import NOBODY, Nobody, once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import ClosedNode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torchperf_lint.facts.interpret.analysis import Analysis
    from torchperf_lint.facts.project.neighbours import Neighbours

_CALLED_FROM: Final = 2
"""So many calls are followed up to where an option is asked."""


def off(analysis: Analysis, module: Module, node: ast.AST, hot: frozenset[str]) -> Evidence | None:
    """The option that keeps control from coming to a node, unless somebody asks for it; also one around all calls of its function, or
    around all that make a thing of its class."""
    return _by_default(analysis, (module, node, hot))


@once
def _by_default(analysis: Analysis, about: tuple[Module, ast.AST, frozenset[str]]) -> Evidence | None:
    module, node, hot = about
    return _off(option_values.Asked(analysis, hot), module, node, _CALLED_FROM)


def written_off(analysis: Analysis, module: Module, node: ast.AST, hot: frozenset[str]) -> Evidence | None:
    """The same where the code alone tells: no setting and no argument of a command line, which users choose each time."""
    return _off(option_values.Asked(analysis, hot, is_written=True), module, node, _CALLED_FROM)


def is_never_asked_for(analysis: Analysis, module: Module, node: ast.AST, hot: frozenset[str]) -> bool:
    """Whether calls in other files, and all there are, keep control from coming to a node: no default, no setting, no argument
    of a command line, which a user may give."""
    if off(analysis, module, node, hot) is None:
        return False
    return _off(option_values.Asked(analysis, hot, by_calls=True), module, node, _CALLED_FROM) is not None


def is_passed_by(analysis: Analysis, module: Module, node: ast.AST, hot: frozenset[str]) -> bool:
    """Whether each call that makes a function hot passes what keeps control from coming to a node in it, or stands itself where an
    option keeps control away, though others may not."""
    function = module.function_of(node)
    if function.is_module or roles.of(analysis, function, hot).value or off(analysis, module, node, hot) is not None:
        return False
    sites = _often(analysis.around() or NOBODY, (analysis, function, hot))
    asked = (option_values.Asked(analysis, hot, is_written=True, by=(function, *site)) for site in sites)
    return bool(sites) and all(
        _off(each, module, node, 0) is not None or written_off(other, other.module, call, hot) is not None
        for each, (other, call) in zip(asked, sites, strict=True)
    )


@once
def _often(_: Neighbours | Nobody, about: tuple[Analysis, Function, frozenset[str]]) -> list[callers_elsewhere.Site]:
    """The calls that show that a function is hot."""
    analysis, function, hot = about
    sites = [*((analysis, call) for call in analysis.sites(function)), *passed_elsewhere.calls(analysis, function)]
    return [
        (other, call)
        for other, call in sites
        if gates.of(other.module, call) is None
        and how_often.of(other, other.module, call, hot, away=how_often.AWAY).value
    ]


def _off(asked: option_values.Asked, module: Module, node: ast.AST, calls: int) -> Evidence | None:
    function = module.function_of(node)
    test = getattr(node, "test", None)
    last = test.values[-1] if isinstance(test, ast.BoolOp) else None  # `if safe and x.isnan().any()` waits in the end
    for below, above in pairwise((*(() if last is None else (last, test)), node, *module.ancestors(node))):
        is_whole = isinstance(above, ClosedNode)
        conditions = () if is_whole else option_values.before(above, below)
        named = ((each, option_values.against(asked, function, each, wanted=wanted)) for each, wanted in conditions)
        found = next((each for each in named if each[1] is not None), None) or _left_before(
            asked, module, function, below
        )
        if found is not None:
            message = f"calls and defaults in sight leave `{found[1]}` so that this branch does not run"
            return Evidence(found[0], message, module.path)
        if is_whole:
            break
    if not function.is_module and not module.function_of(function.node).is_module:
        around = _off(asked, module, function.node, calls)  # whoever calls what is defined within, it must be there
        if around is not None:
            return around
    if not calls or function.is_module:
        return None
    is_far = callers_elsewhere.is_called_elsewhere(asked.analysis, function)
    far = (asked.far(function) or []) if is_far else []
    here = asked.sites(function) if far or not is_far else []  # some of the calls alone tell nothing
    makings = [
        (*each, _off(each[0], each[0].analysis.module, each[1], calls - 1)) for each in _makings(asked, function)
    ]
    made = next((each for _, _, each in makings if each is not None), None)
    if made is not None and all(each is not None or _is_for_nobody(who, read) for who, read, each in makings):
        return made
    return _all_off([*((asked, each) for each in here), *far], calls - 1)


def _all_off(places: Sequence[tuple[option_values.Asked, ast.AST]], calls: int) -> Evidence | None:
    """The option that keeps control from the first of some places, where one does from each."""
    first = None
    for asked, place in places:
        found = _off(asked, asked.analysis.module, place, calls)
        if found is None:
            return None
        first = first or found
    return first


def _is_for_nobody(asked: option_values.Asked, read: ast.expr) -> bool:
    """Whether what makes a thing is itself nothing that anybody uses, or runs."""
    module = asked.analysis.module
    return (
        unused.is_unused(asked.analysis, module, read) or unused.nobody_runs(asked.analysis, module, read) is not None
    )


def _makings(asked: option_values.Asked, function: Function) -> list[tuple[option_values.Asked, ast.expr]]:
    """The calls that make a thing of the class whose method a function is; where it is handed on for that, all places that read it: of
    several models users choose one."""
    made = asked.makings(function)
    if made or function.owner is None or function.is_static or asked.by_calls:
        return [*made]
    reads = constructions.all_reads(asked.analysis, function.owner) or []
    return [(replace(asked, analysis=other, is_written=True, by=None), read) for other, read in reads]


@once
def _seen(_: Analysis, __: tuple[inside.Block, option_values.How, ast.Call | None]) -> inside.LeavingSeen:
    """How far a block was looked at."""
    return inside.LeavingSeen()


def _left_before(
    asked: option_values.Asked, module: Module, function: Function, below: ast.AST
) -> tuple[ast.expr, str] | None:
    """The condition, and its option, by which control leaves before it comes to a statement: `if self.first: return f(x)`."""
    place = inside.block_of(module, below) if isinstance(below, ast.stmt) else None
    if place is None:
        return None
    block, number = place
    seen = _seen(asked.analysis, (block, asked.how, asked.by[2] if asked.by is not None else None))
    while seen.found is None and seen.next < len(block.left) and block.left[seen.next][0] < number:
        at, statement = block.left[seen.next]
        seen.next += 1
        name = option_values.against(asked, function, statement.test, wanted=False)
        if name is not None:
            seen.found = at, statement.test, name
    return seen.found[1:] if seen.found is not None and seen.found[0] < number else None
