"""Models that a method hands to one beside it, which runs them: `self.predict_batch(self.model, batch)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

NO_FORWARD: Final = frozenset(("to", "generate"))
"""Methods that run no model with gradients on: those of Transformers generate without them."""
_MODES: Final = ("no_grad", "inference_mode", "set_grad_enabled", "enable_grad")


def hands_on(analysis: Analysis, module: Module, call: ast.Call, models: frozenset[str]) -> bool:
    """Whether a call hands one of some models to a method of the same object that runs it, and switches no gradients itself."""
    given = next((number for number, each in enumerate(call.args) if ast.unparse(each) in models), None)
    method = module.function_of(call).method
    match call.func:
        case ast.Attribute(value=ast.Name(id=itself), attr=name) if given is not None and method is not None:
            if method.owner is None or method.positional[:1] != (itself,):
                return False
            function = classes.find_method(analysis, method.owner, name)
        case _:
            return False
    if function is None or function.module is not module or function.decorators:
        return False
    places = function.positional[1:]
    return (
        given < len(places)
        and name not in _switching(module, module.tree)
        and any(_runs(each, places[given]) for each in inside.calls(module, function.node))
    )


def _runs(call: ast.Call, model: str) -> bool:
    """Whether a call is one of a model of a name, or of a method that it has beside `forward`."""
    match call.func:
        case ast.Name(id=name):
            return name == model
        case ast.Attribute(value=ast.Name(id=name), attr=method):
            return name == model and method not in NO_FORWARD and method not in knowledge.module_only()
    return False


@once
def _switching(module: Module, _: ast.Module) -> frozenset[str]:
    """The names of the functions of a file that switch gradients on or off in a block."""
    calls = (each for name in _MODES for each in module.calls.get(name, ()))
    return frozenset(module.function_of(each).name for each in calls)
