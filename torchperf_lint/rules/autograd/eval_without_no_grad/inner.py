"""Functions in a function that run with gradients on, though what is around them wants none.

    @torch.no_grad()
    def sampler(self, prompt):
        def draw(noise):
            return self.model(noise, prompt)         runs when gradients are on again
        return draw

    def generate(self, tokens):
        def step(last, state):
            return self(state["tokens"]).log_softmax(-1)
        return search(tokens, step)                  runs for each token

Knows syntax, and what is a module.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.context import modes
from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.guesses import function_names
from torchperf_lint.facts.idioms import evaluation, gradients_wanted
from torchperf_lint.facts.index import inside, names
from torchperf_lint.facts.interpret import context_managers
from torchperf_lint.rules.autograd.eval_without_no_grad import numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.index.module import Module
    from torchperf_lint.facts.index.scopes import Function


def calls(module: Module) -> Iterator[ast.Call]:
    """The calls in functions that stand in a function."""
    for function in module.functions.values():
        if _is_inner(function):
            yield from inside.calls(module, function.node)


def forward(facts: Facts, call: ast.AST) -> Fact[ast.Call]:
    """The call for which the finding about an inner function stands: of the module that generates, or the first."""
    function = facts.module.function_of(call)
    outer = function.within
    if not isinstance(call, ast.Call) or outer is None or not _is_inner(function) or function.decorators:
        return Fact(UNKNOWN)
    if (
        gradients_wanted.hints(facts.module, function.node)
        or function.is_generator
        or numbers.switches(facts.module, function)
    ):
        return Fact(UNKNOWN)
    shown = _decorator(outer)
    if shown is not None:
        is_first = call is next(iter(inside.calls(facts.module, function.node)), None)
        if is_first and _is_returned(outer, function) and _runs_modules(facts, function) and not _is_off(facts, outer):
            return Fact(call, Sure.LIKELY, (Evidence(shown, "off while the function is made", facts.module.path),))
        return Fact(UNKNOWN)
    if not _is_of_itself(facts, outer, call) or not _is_handed_on(outer, function):
        return Fact(UNKNOWN)
    if gradients_wanted.hints(facts.module, outer.node) or evaluation.is_off_around(facts.analysis, outer):
        return Fact(UNKNOWN)
    said = f"`{outer.name}` wants no gradients, by its name"
    return Fact(call, Sure.LIKELY, (Evidence(outer.node, said, facts.module.path),))


def _is_inner(function: Function) -> bool:
    outer = function.within
    return (
        outer is not None
        and not outer.is_module
        and function.owner is None
        and isinstance(function.node, ast.FunctionDef)
    )


def _decorator(function: Function) -> ast.expr | None:
    """The decorator that switches gradients off for a function."""
    for each in function.decorators:
        if names.dotted(function, each.func if isinstance(each, ast.Call) else each) in context_managers.NO_GRAD:
            return each
    return None


def _is_returned(outer: Function, function: Function) -> bool:
    """Whether a function gives one that it makes to who called it, and does not run it itself."""
    reads = outer.scope.loads.get(function.name, ())
    return bool(reads) and all(isinstance(outer.module.parents.get(each), ast.Return) for each in reads)


def _is_handed_on(outer: Function, function: Function) -> bool:
    """Whether a function gives one that it makes to another, and does nothing else with it."""
    reads = outer.scope.loads.get(function.name, ())
    above = [(outer.module.parents.get(each), each) for each in reads]
    return bool(above) and all(isinstance(call, ast.Call) and call.func is not each for call, each in above)


def _runs_modules(facts: Facts, function: Function) -> bool:
    """Whether a function may run a model: it calls a module, or a method of what nobody knows, with what it is given."""
    given = function.parameters.keys()
    for call in inside.calls(facts.module, function.node):
        kind = facts.analysis.value(evaluation.model_of(call), facts.module).kind
        passed = (*call.args, *(each.value for each in call.keywords))
        if kind in ("module", "unknown") and any(isinstance(each, ast.Name) and each.id in given for each in passed):
            return True
    return False


def _is_off(facts: Facts, outer: Function) -> bool:
    """Whether some call of a function stands where gradients are off: so may be what runs what it gives."""
    return any(modes.no_grad(facts.analysis, facts.module, site).value is True for site in facts.analysis.sites(outer))


def _is_of_itself(facts: Facts, outer: Function, call: ast.Call) -> bool:
    """Whether a call runs the module whose method, one that generates, is around."""
    if outer.owner is None or outer.decorators or not function_names.generates_all(outer.name):
        return False
    itself = outer.positional[:1]
    model = evaluation.model_of(call)
    return isinstance(model, ast.Name) and (model.id,) == itself and facts.analysis.kind(outer.owner) == "module"
