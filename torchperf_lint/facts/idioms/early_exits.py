"""Conditions that leave a loop of which each turn runs a model: a turn that is saved is worth more than the wait.

    for _ in range(longest):
        token = model(text)
        if token == end: break         at once
        if token == end: stop = True
        if stop: break                 by way of a flag

Knows the kinds of values, and how statements follow each other.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.idioms import choices
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import LOOPS, ClosedNode, last_name, walk
from torchperf_lint.facts.knowledge import lightning

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


def saves_turns(analysis: Analysis, module: Module, test: ast.AST) -> bool:
    """Whether an `if` leaves a loop of which each turn runs a model, or a layer, and none trains."""
    around = (each for each in module.ancestors(test) if isinstance(each, (*LOOPS, *ClosedNode)))
    loop = next(around, None)
    if not isinstance(loop, LOOPS) or not isinstance(test, ast.If) or isinstance(test.body[-1], ast.Continue):
        return False
    if not (choices.leaves(test) or _leaves_by_flag(loop, test)):
        return False
    calls = [each for each in walk(loop, into_scopes=False) if isinstance(each, ast.Call)]
    if any(last_name(each.func) in lightning.BACKWARD for each in calls):
        return False
    return any(analysis.value(each.func, module).kind == "module" for each in calls)


def _leaves_by_flag(loop: ast.For | ast.AsyncFor | ast.While, test: ast.If) -> bool:
    """Whether an `if` of a loop does nothing but set a name for which the loop is left further down."""
    match test:
        case ast.If(body=[ast.Assign(targets=[ast.Name(id=flag)], value=ast.Constant(value=bool()))], orelse=[]):
            return any(
                isinstance(each, ast.If)
                and isinstance(each.test, ast.Name)
                and each.test.id == flag
                and choices.leaves(each)
                for each in loop.body
            )
    return False
