"""Functions that put a model into evaluation mode and run it once, for an output: `predict`, with gradients on.

    def predict(self, x):
        self.eval()
        return self.forward(x)

Only a function that is called like one is asked about: others switch a mode to look at gradients, or to export.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.guesses import function_names
from torchperf_lint.facts.idioms import evaluation, gradients_wanted
from torchperf_lint.facts.index import blocks, inside
from torchperf_lint.facts.index.walk import place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts


def forward(facts: Facts, switch: ast.AST) -> Fact[ast.Call]:
    """The call of the model that a function puts into evaluation mode, runs outside of any loop, and wants no gradient of."""
    match switch:
        case ast.Call(func=ast.Attribute(value=held, attr="eval"), args=[], keywords=[]):
            pass
        case _:
            return Fact(UNKNOWN)
    function = facts.module.function_of(switch)
    if function.is_module or not function_names.runs_evaluation(function.name):
        return Fact(UNKNOWN)
    if gradients_wanted.hints(facts.module, function.node) or evaluation.is_elsewhere(facts.analysis, function):
        return Fact(UNKNOWN)
    for call in _calls(facts, function.node, switch, ast.unparse(held)):
        if evaluation.has_gradients(facts.analysis, facts.module, call):
            because = Evidence(switch, "evaluation mode; gradients stay on", facts.module.path)
            return Fact(call, Sure.LIKELY, (because,))
    return Fact(UNKNOWN)


def _calls(facts: Facts, function: ast.AST, switch: ast.Call, model: str) -> Iterator[ast.Call]:
    """The calls of a model behind the one that switches its mode, outside of loops."""
    for call in inside.calls(facts.module, function):
        is_behind = place_of(call) > place_of(switch) and blocks.loop(facts.module, call) is None
        if is_behind and ast.unparse(evaluation.model_of(call)) == model and _is_of_module(facts, call):
            yield call


def _is_of_module(facts: Facts, call: ast.Call) -> bool:
    """Whether what is called is a module that takes no gradients itself; of what is unknown, tensors that it is given must show it."""
    model = facts.analysis.value(evaluation.model_of(call), facts.module)
    if model.kind == "module":
        return not gradients_wanted.are_taken_by(facts.module, model)
    kinds = [facts.analysis.value(each, facts.module).kind for each in call.args]
    return model.kind == "unknown" and not gradients_wanted.are_taken_by(facts.module, model) and "tensor" in kinds
