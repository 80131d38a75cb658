"""Code that measures a model, beside its training: what it waits for is not waited for at each step of the training.

    @torch.no_grad()
    def validate(model, loader):
        for x in loader: total += count(model(x)).item()

Its gradients are off, or it goes through a loader itself and wants none, or it is a method of which the name leaves no doubt,
as `simple_test` does, or a branch that no training takes, `if not self.training:`. So is a loop of a script through a loader
without gradients, and what nothing in sight calls often but that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import callers_elsewhere, how_often, in_tests, loops, modes, option_values
from torchperf_lint.facts.context.frequency import Frequency
from torchperf_lint.facts.domain.fact import Evidence, Fact
from torchperf_lint.facts.guesses import function_names
from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import LOOPS, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_CALLED_FROM: Final = 3
"""So many calls are followed up to where a model is measured."""


def around(
    analysis: Analysis,
    module: Module,
    node: ast.AST,
    frequency: Fact[Frequency],
    hot: frozenset[str],
    calls: int = _CALLED_FROM,
) -> Evidence | None:
    """The evaluation that a node is part of, by the name of a function around it, or of all that call it often."""
    if (test := mode_around(analysis, module, node)) is not None:
        return Evidence(test, "in evaluation mode alone: a step of a training was measured", module.path)
    function = module.function_of(node)
    for each in function.around():
        if not function_names.evaluates(each.name) or _may_train(module, each.node):
            continue
        around_it = [
            seen.node for seen in frequency.because if seen.path in (None, module.path) and isinstance(seen.node, LOOPS)
        ]
        runs_itself = any(inside.is_inside(module, loop, each.node) for loop in around_it)
        runs_itself = runs_itself or (each.owner is not None and function_names.tests(each.name))
        if runs_itself or modes.no_grad(analysis, module, node).value is True:
            return Evidence(each.node, "an evaluation, by its name: a step of a training was measured", module.path)
    if function.is_module:
        return _of_script(analysis, module, node)
    if not calls or not how_often.is_by_call(frequency):
        return None
    found = [each for site in _sites(analysis, function) for each in _of_call(site, hot, calls - 1)]
    return found[0] if found and all(found) else None


def mode_around(analysis: Analysis, module: Module, node: ast.AST) -> ast.expr | None:
    """The condition around a node by which its module is not in training mode: `if not self.training and n > 2000:`."""
    function = module.function_of(node)
    if function.method is None or function.method.owner is None or analysis.kind(function.method.owner) != "module":
        return None
    for below, above in pairwise((node, *module.ancestors(node))):
        if above is function.node:
            break
        for test, wanted in option_values.before(above, below):
            if _asks_training(test, wanted=wanted):
                return test
    return None


def _asks_training(test: ast.expr, *, wanted: bool) -> bool:
    """Whether a condition comes out as wanted only where the module is not in training mode."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _asks_training(operand, wanted=not wanted)
        case ast.BoolOp(op=op, values=values) if isinstance(op, ast.And) is wanted:
            return any(_asks_training(each, wanted=wanted) for each in values)
        case ast.Attribute(value=ast.Name(), attr="training"):
            return not wanted
    return False


def _of_script(analysis: Analysis, module: Module, node: ast.AST) -> Evidence | None:
    """The evaluation that a loop on the top of a file is: it goes through a loader without gradients, and nothing there trains."""
    loop = next((each for each in module.ancestors(node) if isinstance(each, LOOPS)), None)
    if loop is None or _may_train(module, module.tree) or not loops.iterates_loader(analysis, module, loop):
        return None
    off = modes.no_grad(analysis, module, loop.body[0])
    return Evidence(loop, "an evaluation: nothing in this file trains", module.path) if off.value is True else None


def _sites(analysis: Analysis, function: Function) -> Iterator[callers_elsewhere.Site]:
    """The calls of a function in sight, tests aside."""
    for call in analysis.sites(function):
        if not in_tests.is_test(analysis.module.function_of(call)):
            yield analysis, call
    yield from callers_elsewhere.calls(analysis, function)


def _of_call(site: callers_elsewhere.Site, hot: frozenset[str], calls: int) -> list[Evidence | None]:
    """The evaluation that a call which runs often is part of; None where it is part of none."""
    other, call = site
    runs = how_often.of(other, other.module, call, hot, away=calls)
    return [around(other, other.module, call, runs, hot, calls)] if runs.value else []


@once
def _may_train(_: Module, function: ast.AST) -> bool:
    names = (each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in walk(function))
    return any(map(function_names.trains, names))
