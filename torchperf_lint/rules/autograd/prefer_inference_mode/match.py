"""Functions that generate, with gradients off. Knows decorators and loops."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import loops
from torchperf_lint.facts.context.frequency import Frequency
from torchperf_lint.facts.guesses import function_names
from torchperf_lint.facts.index import inside, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import LOOPS, last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_LEARNING: Final = ("backward", "requires_grad_", "autograd", "enable_grad", "grad")
"""What the values of such a function may be wanted for in the same file: inference tensors cannot be."""


def decorator(facts: Facts, node: ast.AST) -> ast.Call | None:
    """The `@torch.no_grad()` of a function that generates turn by turn."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    function = facts.module.function_of(node)
    found = [
        each for each in node.decorator_list
        if isinstance(each, ast.Call) and names.dotted(function, each.func) == "torch.no_grad" and not each.args
    ]  # fmt: skip
    if not found or facts.module.functions[node].is_generator or not _generates(facts, node):
        return None
    return found[0]


def _generates(facts: Facts, node: ast.AST) -> bool:
    """Whether a function goes through the steps of a sampler, or feeds a model what it gave at the turn before."""
    made = [each for each in walk(node, into_scopes=False) if isinstance(each, LOOPS)]
    hot = [each for each in made if (loops.of(facts.analysis, facts.module, each).value or 0) >= Frequency.INFERENCE]
    return bool(hot) and function_names.generates(getattr(node, "name", ""))


def may_generate(facts: Facts, node: ast.AST) -> bool:
    return decorator(facts, node) is not None


def learns(facts: Facts, node: ast.AST) -> bool:
    """Whether somebody in sight who takes gradients calls a function."""
    function = facts.module.functions[node]
    around = {
        facts.module.function_of(node),
        *(facts.module.function_of(site) for site in facts.analysis.sites(function)),
    }
    return any(_takes_gradients(facts.module, each) for each in around if not each.is_module)


@once
def _takes_gradients(module: Module, function: Function) -> bool:
    return any(last_name(call.func) in _LEARNING for call in inside.calls(module, function.node))
