"""Functions that run a model for numbers of Python: nothing that leaves them has a gradient, whoever calls them.

    def act(self, state):
        q = self.network(state)
        return q.argmax(1).item()

Knows syntax, and what is a model.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.idioms import evaluation, gradients_wanted
from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name, walk
from torchperf_lint.rules.autograd.eval_without_no_grad import leaving

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

READS: Final = ("item", "tolist", "numpy", "float", "int")


def forward(facts: Facts, read: ast.AST) -> Fact[ast.Call]:
    """The forward pass with gradients on, of which nothing but numbers leaves the function in which one of them is read."""
    module = facts.module
    function = module.function_of(read)
    if function.is_module or read is not _first_read(module, function) or function.is_generator:
        return Fact(UNKNOWN)
    if _wants_gradients(module, function) or evaluation.is_elsewhere(facts.analysis, function):
        return Fact(UNKNOWN)
    calls = [each for each in evaluation.forwards(facts.analysis, module, function.node) if _is_model(facts, each)]
    if not calls or evaluation.reads_arrays(facts.analysis, module, function.node):
        return Fact(UNKNOWN)
    if any(leaving.leaves(function, call) or not _is_read(module, call) for call in calls):
        return Fact(UNKNOWN)
    return Fact(calls[0], Sure.LIKELY, (Evidence(read, "a number, which has no gradient", module.path),))


@once
def _first_read(module: Module, function: Function) -> ast.Call | None:
    """The first read of a number in a function, for which the finding stands."""
    reads = (each for each in inside.calls(module, function.node) if last_name(each.func) in READS)
    return next((each for each in reads if leaving.is_cut(each) or last_name(each.func) == "numpy"), None)


@once
def _wants_gradients(_: Module, function: Function) -> bool:
    """Whether a function wants gradients, or says a word of who learns: a helper may take the backward pass."""
    said = (each for each in walk(function.node) if isinstance(each, (ast.Name, ast.Attribute)))
    words = (each.id if isinstance(each, ast.Name) else each.attr for each in said)
    return gradients_wanted.hints(function.node) or any(value_names.learns(word) for word in (function.name, *words))


def _is_model(facts: Facts, call: ast.Call) -> bool:
    """Whether a model of more than one layer, or of which the file shows no more than its modes, runs with gradients on."""
    known = facts.analysis.value(evaluation.model_of(call), facts.module)
    if known.kind == "module":
        return evaluation.is_of_model(facts.analysis, facts.module, call)
    return evaluation.has_gradients(facts.analysis, facts.module, call)


def _is_read(module: Module, call: ast.Call) -> bool:
    return not isinstance(module.parents.get(call), ast.Expr)
