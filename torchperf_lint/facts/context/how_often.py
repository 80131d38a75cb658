"""How often code runs: inside `forward`, at every training step, in an inference loop, or once.

    INNER       inside `forward`, a loss, `training_step`, or a loop nested in a step loop
    STEP        the body of a step loop
    INFERENCE   inference, generation and environment loops
    ONCE        the rest, code that runs once an epoch too

How hot a loop is by itself is for `loops`, what a function's role says of it for `roles`. What a hot body calls is as hot
as the call, and a generator as the loop over it; a call behind a gate makes nothing hot. Who calls from another file is
asked only where somebody wants to know (`away`): that file has to be read for it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import (
    by_name,
    callers_elsewhere,
    eager_code,
    file_traits,
    gates,
    handed_over,
    in_tests,
    loops,
    roles,
)
from torchperf_lint.facts.context.frequency import COLD, Frequency, outweighs, seeming
from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.domain.fact import Evidence, Fact, Sure
from torchperf_lint.facts.guesses import function_names
from torchperf_lint.facts.index.module import Climb, Module
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import LOOPS, ClosedNode, Loop, in_body, last_name

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

DEEP: Final = 5
"""How many callers are followed."""
AWAY: Final = 2
"""From how many files away: a loop in `train.py` that calls `engine.py` that calls here."""

_SEEN: Final = frozenset((*LOOPS, *ClosedNode))
"""What ends the way up to a loop."""

CALLED: Final = "called from here: "
HERE: Final = " → here"
OFTEN: Final = {
    Frequency.INFERENCE: "called for every batch or turn: ",
    Frequency.STEP: "called at every step: ",
    Frequency.INNER: "called inside of every step: ",
}
"""How evidence of a call in another file begins."""


def of(
    analysis: Analysis, module: Module, node: ast.AST, hot: frozenset[str], depth: int = DEEP, away: int = 0
) -> Fact[Frequency]:
    """How hot the place of a node is, gates aside."""
    place = place_of(module, node)
    known: Fact[Frequency] | None = analysis.places.get((place, hot, depth, away))
    if known is None:
        known = analysis.places[place, hot, depth, away] = _of_place(
            analysis, node, module.function_of(node), hot, depth, away
        )
    return known


def is_known(analysis: Analysis, module: Module, node: ast.AST, hot: frozenset[str], away: int) -> bool:
    """Whether somebody has asked before how hot the place of a node is."""
    return (place_of(module, node), hot, DEEP, away) in analysis.places


def place_of(module: Module, node: ast.AST) -> ast.AST | Function:
    """What all that runs as often as a node shares: the innermost loop around it, or its function."""
    loop = _loop(module, node)
    return module.function_of(node) if loop is None else loop


def _of_place(
    analysis: Analysis, node: ast.AST, function: Function, hot: frozenset[str], depth: int, away: int
) -> Fact[Frequency]:
    """How hot all that is in one loop, or in a function outside of its loops, is."""
    module = function.module
    whole = best = base(analysis, function, hot, depth, away)
    nested = 0
    loop = _loop(module, node)
    while loop is not None:
        found = loops.of(analysis, module, loop)
        if found.value and found.value >= Frequency.STEP and nested:
            found = Fact(Frequency.INNER, found.sure, found.because)
        if outweighs(found, best):
            best = found
        nested += 1
        loop = _loop(module, loop)
    if nested and best.value == Frequency.STEP and best is not COLD and best is whole:
        best = Fact(Frequency.INNER, best.sure, best.because)  # a loop in what runs so often is nested in a step
    return best


def _loop(module: Module, node: ast.AST) -> Loop | None:
    """The innermost loop whose body a node stands in, within its function."""
    if node in module.around:
        return module.around[node]
    return module.climbed(module.around, node, _loop_of, top=None)


def _loop_of(above: ast.AST, below: ast.AST) -> Loop | Climb | None:
    """The loop that a node above is, if what is below stands in its body."""
    if above.__class__ not in _SEEN:
        return Climb.ON
    if isinstance(above, ClosedNode):
        return None
    if (isinstance(above, LOOPS) and in_body(below, above)) or (isinstance(above, ast.While) and below is above.test):
        return above
    return Climb.ON


# ---- functions


def base(analysis: Analysis, function: Function, hot: frozenset[str], depth: int, away: int = 0) -> Fact[Frequency]:
    """How hot the body of a function is, by its role and its callers."""
    known: Fact[Frequency] | None = analysis.frequencies.get((function, hot, depth, away))
    if known is None:
        known = analysis.frequencies[function, hot, depth, away] = _base(analysis, function, hot, depth, away)
    return known


def _base(analysis: Analysis, function: Function, hot: frozenset[str], depth: int, away: int) -> Fact[Frequency]:
    if function.is_module or is_memoised(function) or roles.is_seldom(analysis, function):
        return COLD
    role = roles.of(analysis, function, hot)
    if role.value == Frequency.INNER or depth == 0:
        return role
    best = role
    for call in analysis.sites(function):
        if gates.of(function.module, call) is not None or eager_code.is_never_run(function.module, call):
            continue
        found = of(analysis, function.module, _runs_at(function, function.module, call), hot, depth - 1, away)
        if outweighs(found, best):
            said = _way(found, function.module, call) if _is_way(found) else f"{CALLED}{_short(found)}"
            called = Evidence(call, said, function.module.path)
            best = Fact(found.value, Sure.LIKELY, (called, *dict.fromkeys((*found.because[:1], *seeming(found)))))
    is_nested = function.within is not None and not function.within.is_module and function.owner is None
    if is_nested and not handed_over.is_option(analysis, function):
        found = of(analysis, function.module, function.node, hot, depth - 1, away)
        if outweighs(found, best):
            best = found
    if not away or best.value == Frequency.INNER:
        return best
    best = _elsewhere(analysis, function, hot, best, away)
    seems = by_name.is_for_others(analysis, function) if best.value == Frequency.ONCE else None
    return best if seems is None else Fact(Frequency.INFERENCE, Sure.LIKELY, (seems,))


def _elsewhere(
    analysis: Analysis, function: Function, hot: frozenset[str], best: Fact[Frequency], away: int
) -> Fact[Frequency]:
    """The same after a look at the callers in other files; tests and programs for the CPU show nothing of a usual run."""
    for site in callers_elsewhere.candidates(analysis, function):
        if best.value == Frequency.INNER:
            break  # no other call makes it hotter
        other, call = site
        module = other.module
        if gates.of(module, call) is not None or eager_code.is_never_run(module, call):
            continue
        if in_tests.is_test(module.function_of(call)) or not file_traits.may_use_gpu(other, module):
            continue
        found = _at_site(analysis, site, function, hot, best, away - 1)
        if outweighs(found, best):
            way = Evidence(call, _way(found, module, call), module.path)
            best = Fact(found.value, Sure.LIKELY, (way, *seeming(found)))
    return best


def _at_site(
    analysis: Analysis,
    site: callers_elsewhere.Site,
    function: Function,
    hot: frozenset[str],
    best: Fact[Frequency],
    away: int,
) -> Fact[Frequency]:
    """How hot a call in another file makes a function: first by that file alone, for to see what is called takes longer where
    it is not called on `self`."""
    other, call = site
    at = _runs_at(function, other.module, call)
    try:
        if callers_elsewhere.is_on_another(analysis, site, function):
            return COLD
        found = of(other, other.module, at, hot)
        is_hotter = outweighs(found, best)
        if not is_hotter and not away:
            return COLD
        seems: tuple[Evidence, ...] = ()
        if not callers_elsewhere.is_one(analysis, site, function):
            by_its_name = by_name.calls_one(site, function)
            if by_its_name is None:
                return COLD
            seems = (by_its_name,)
        found = found if is_hotter else of(other, other.module, at, hot, away=away)
        return Fact(found.value, found.sure, (*found.because, *seems))
    except GaveUpError:
        return COLD


def _way(found: Fact[Frequency], module: Module, call: ast.Call) -> str:
    """How control comes from a hot place to a call, in words: `train.py:88` → `engine.py:41` → here."""
    before = found.because[0].message if _is_way(found) else ""
    way = before.removesuffix(HERE).partition(": ")[2]
    return f"{OFTEN[found.value]}{f'{way} → ' if way else ''}`{module.path}:{call.lineno}`{HERE}"


def is_by_call(found: Fact[Frequency]) -> bool:
    """Whether it is a call that makes a place hot."""
    return _is_way(found) or (bool(found.because) and found.because[0].message.startswith(CALLED))


def _is_way(found: Fact[Frequency]) -> bool:
    """Whether the evidence of a place names calls in other files."""
    return bool(found.because) and found.because[0].message.endswith(HERE)


def _runs_at(function: Function, module: Module, call: ast.Call) -> ast.AST:
    """Where a call makes a function run: a generator goes on at each turn of the loop over it."""
    statement = module.statement(call) if function.is_generator else None
    return statement.body[0] if isinstance(statement, (ast.For, ast.AsyncFor)) else call


def is_memoised(function: Function) -> bool:
    """Whether a decorator keeps what a function returns: `lru_cache`, `cached_property`."""
    named = (each.func if isinstance(each, ast.Call) else each for each in function.decorators)
    return any(function_names.memoises(last_name(name)) for name in named)


def _short(found: Fact[Frequency]) -> str:
    return found.because[0].message.removeprefix(CALLED) if found.because else "a hot place"
