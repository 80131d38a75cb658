"""Code that is seen to run seldom: at the top level of a file, around a step loop, behind a gate, or called from such places alone.

    for epoch in range(10):
        for x, y in loader: step(x, y)
        report(scores)              once an epoch, and so is all that `report` does

That is less than being cold: a function of a library that nobody in sight calls is cold as far as anybody can see, and
may yet be called at every step.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import (
    forward_methods,
    gates,
    how_often,
    known_callers,
    loops,
    sampling_loops,
)
from torchperf_lint.facts.context.frequency import Frequency
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import LOOPS, ClosedNode, Loop, walk
from torchperf_lint.facts.interpret import callers

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_DEEP: Final = 3


def runs_seldom(analysis: Analysis, module: Module, node: ast.AST, hot: frozenset[str], depth: int = _DEEP) -> bool:
    """Whether everything in sight says that a node runs no more than once an epoch."""
    if (how_often.of(analysis, module, node, hot).value or Frequency.ONCE) >= Frequency.INFERENCE:
        return False
    function = module.function_of(node)
    if function.is_module or forward_methods.is_aside(function) or how_often.is_memoised(function):
        return True
    around = next(
        (above for above in module.ancestors(node) if isinstance(above, (*LOOPS, *ClosedNode))), function.node
    )
    if any(_is_step_loop(analysis, module, each) for each in _loops(module, around)):
        return True
    if not isinstance(around, LOOPS) and (_is_once_more(module, around, node) or _is_total(module, around, node)):
        return True
    if function.is_generator:
        return False  # it goes on each time that somebody asks it for the next item
    sites = analysis.sites(function)[: callers.MANY] if depth else []
    if not sites:
        far = (known_callers.calls(analysis, function) or []) if depth else []
        return bool(far) and all(gates.of(other.module, call) is not None for other, call in far)
    return all(
        gates.of(module, site) is not None or runs_seldom(analysis, module, site, hot, depth - 1) for site in sites
    )


def _is_step_loop(analysis: Analysis, module: Module, loop: Loop) -> bool:
    found = loops.of(analysis, module, loop)
    holds_step = found.proven or loops.step(analysis, module, loop, within_loops=False) is not None
    return (holds_step and found.known and found.value >= Frequency.STEP) or (
        "step" in module.calls and sampling_loops.follows_sampler(loop)
    )


@once
def _loops(_: Module, around: ast.AST) -> list[Loop]:
    """The loops below a node, and it itself if it is one."""
    return [each for each in walk(around, into_scopes=False) if isinstance(each, LOOPS)]


def _is_once_more(module: Module, around: ast.AST, node: ast.AST) -> bool:
    """Whether a loop beside a node does the same at each turn: this is for the last time, or for the first."""
    return ast.dump(module.statement(node)) in _repeated(module, around)


@once
def _repeated(module: Module, around: ast.AST) -> frozenset[str]:
    """What the loops below a node do at each turn, as text."""
    return frozenset(ast.dump(each) for loop in _loops(module, around) for each in _statements(loop))


def _is_total(module: Module, around: ast.AST, node: ast.AST) -> bool:
    """Whether a statement makes a total to which a loop beside it adds at each turn: it is made once for all turns."""
    statement = module.statement(node)
    names = {each.id for each in getattr(statement, "targets", ()) if isinstance(each, ast.Name)}
    return not names.isdisjoint(_added(module, around))


@once
def _added(module: Module, around: ast.AST) -> frozenset[str]:
    """The names to which the loops below a node add at each turn."""
    changed = [each for loop in _loops(module, around) for each in _statements(loop) if isinstance(each, ast.AugAssign)]
    return frozenset(each.target.id for each in changed if isinstance(each.target, ast.Name))


def _statements(loop: ast.AST) -> list[ast.stmt]:
    return [each for each in walk(loop, into_scopes=False) if isinstance(each, (ast.Assign, ast.AugAssign))]
