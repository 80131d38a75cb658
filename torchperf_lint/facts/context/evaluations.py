"""Code that measures a model, beside its training: what it waits for is not waited for at each step of the training.

    @torch.no_grad()
    def validate(model, loader):
        for x in loader: total += count(model(x)).item()

Its gradients are off, or it goes through a loader itself and wants none.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import modes
from torchperf_lint.facts.context.frequency import Frequency
from torchperf_lint.facts.domain.fact import Evidence, Fact
from torchperf_lint.facts.guesses import function_names
from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import LOOPS, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_TRAINING: Final = frozenset(("backward", "manual_backward", "zero_grad", "optimizer", "enable_grad", "train"))
"""Names of which one in a function says that it may train as well."""


def around(analysis: Analysis, module: Module, node: ast.AST, frequency: Fact[Frequency]) -> Evidence | None:
    """The evaluation that a node is part of, by the name of a function around it."""
    for function in module.function_of(node).around():
        if not function_names.evaluates(function.name) or _may_train(module, function.node):
            continue
        loops = [
            each.node for each in frequency.because if each.path in (None, module.path) and isinstance(each.node, LOOPS)
        ]
        runs_itself = any(inside.is_inside(module, each, function.node) for each in loops)
        if runs_itself or modes.no_grad(analysis, module, node).value is True:
            return Evidence(function.node, "an evaluation, by its name: a step of a training was measured", module.path)
    return None


@once
def _may_train(_: Module, function: ast.AST) -> bool:
    names = (each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in walk(function))
    return any(name in _TRAINING for name in names)
