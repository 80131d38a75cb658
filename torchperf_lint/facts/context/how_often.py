"""How often code runs: inside `forward`, at every training step, in an inference loop, or once.

    INNER       inside `forward`, a loss, `training_step`, or a loop nested in a step loop
    STEP        the body of a step loop
    INFERENCE   inference, generation and environment loops
    ONCE        the rest, code that runs once an epoch too

How hot a loop is by itself is for `loops`. What a hot body calls is as hot as the call, and a generator as the loop over
it; a call behind a gate makes nothing hot.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import eager_code, gates, loops, roles
from torchperf_lint.facts.context.frequency import COLD, Frequency
from torchperf_lint.facts.domain.fact import Evidence, Fact, Sure
from torchperf_lint.facts.guesses import function_names
from torchperf_lint.facts.index.module import Climb, Module
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import LOOPS, ClosedNode, Loop, in_body, last_name

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

DEEP: Final = 5
"""How many callers are followed."""

CALLED: Final = "called from here: "


def of(analysis: Analysis, module: Module, node: ast.AST, hot: frozenset[str], depth: int = DEEP) -> Fact[Frequency]:
    """How hot the place of a node is, gates aside."""
    loop = _loop(module, node)
    place = module.function_of(node) if loop is None else loop
    known: Fact[Frequency] | None = analysis.places.get((place, depth))
    if known is None:
        known = analysis.places[place, depth] = _of_place(analysis, module, node, hot, depth)
    return known


def _of_place(analysis: Analysis, module: Module, node: ast.AST, hot: frozenset[str], depth: int) -> Fact[Frequency]:
    """How hot all that is in one loop, or in a function outside of its loops, is."""
    function = module.function_of(node)
    best = base(analysis, function, hot, depth)
    nested = 0
    loop = _loop(module, node)
    while loop is not None:
        found = loops.of(analysis, module, loop)
        if found.value and found.value >= Frequency.STEP and nested:
            found = Fact(Frequency.INNER, found.sure, found.because)
        if found.value and found.value > (best.value or 0):
            best = found
        nested += 1
        loop = _loop(module, loop)
    if nested and best.value == Frequency.STEP and best is not COLD and _is_base(analysis, function, best, hot, depth):
        best = Fact(Frequency.INNER, best.sure, best.because)
    return best


def _is_base(analysis: Analysis, function: Function, best: Fact[Frequency], hot: frozenset[str], depth: int) -> bool:
    """Whether it is the whole function that runs so often: then a loop in it is nested in a step."""
    return best is base(analysis, function, hot, depth)


def _loop(module: Module, node: ast.AST) -> Loop | None:
    """The innermost loop whose body a node stands in, within its function."""
    return module.climbed(module.around, node, _loop_of, top=None)


def _loop_of(above: ast.AST, below: ast.AST) -> Loop | Climb | None:
    """The loop that a node above is, if what is below stands in its body."""
    if isinstance(above, ClosedNode):
        return None
    if (isinstance(above, LOOPS) and in_body(below, above)) or (isinstance(above, ast.While) and below is above.test):
        return above
    return Climb.ON


# ---- functions


def base(analysis: Analysis, function: Function, hot: frozenset[str], depth: int) -> Fact[Frequency]:
    """How hot the body of a function is, by its role and its callers."""
    known: Fact[Frequency] | None = analysis.frequencies.get((function, depth))
    if known is None:
        known = analysis.frequencies[function, depth] = _base(analysis, function, hot, depth)
    return known


def _base(analysis: Analysis, function: Function, hot: frozenset[str], depth: int) -> Fact[Frequency]:
    if function.is_module or is_memoised(function):
        return COLD
    role = roles.of(analysis, function, hot)
    if role.value == Frequency.INNER or depth == 0:
        return role
    best = role
    for call in analysis.sites(function):
        if gates.of(function.module, call) is not None or eager_code.is_never_run(function.module, call):
            continue
        found = of(analysis, function.module, _runs_at(function, call), hot, depth - 1)
        if (found.value or 0) > (best.value or 0):
            called = Evidence(call, f"{CALLED}{_short(found)}", function.module.path)
            best = Fact(found.value, Sure.LIKELY, (called, *found.because[:1]))
    if function.within is not None and not function.within.is_module and function.owner is None:
        found = of(analysis, function.module, function.node, hot, depth - 1)
        if (found.value or 0) > (best.value or 0):
            best = found
    return best


def _runs_at(function: Function, call: ast.Call) -> ast.AST:
    """Where a call makes a function run: a generator goes on at each turn of the loop over it."""
    statement = function.module.statement(call) if function.is_generator else None
    return statement.body[0] if isinstance(statement, (ast.For, ast.AsyncFor)) else call


def is_memoised(function: Function) -> bool:
    """Whether a decorator keeps what a function returns: `lru_cache`, `cached_property`."""
    named = (each.func if isinstance(each, ast.Call) else each for each in function.decorators)
    return any(function_names.memoises(last_name(name)) for name in named)


def _short(found: Fact[Frequency]) -> str:
    return found.because[0].message.removeprefix(CALLED) if found.because else "a hot place"
