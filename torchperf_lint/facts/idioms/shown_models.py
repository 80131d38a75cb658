"""Models that keep gradients for all that their file shows: they are trained there, or their class is seen.

loss = model(x).sum()              runs the model itself: in a file that trains, it makes a graph
words = model.recognize(x)         a method of a class from out of sight may switch gradients off
"""

from __future__ import annotations

import ast
from collections.abc import Set
from typing import TYPE_CHECKING

from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


def is_one(
    analysis: Analysis, module: Module, loop: ast.AST, call: ast.Call, model: ast.expr, switched: Set[str]
) -> bool:
    """Whether the class of a model that a loop calls is seen, which `net: nn.Module` does not say, or the file trains it, of which it puts
    some into a mode: itself, or by a method that is called outside of the loop, too."""
    if analysis.value(model, module).ref not in (None, "torch.nn.Module"):
        return True
    is_beside = isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) in switched
    is_method = is_beside and ast.unparse(model) not in switched
    return "backward" in module.names and not (is_method and _is_in_loop_alone(module, loop, call))


def _is_in_loop_alone(module: Module, loop: ast.AST, call: ast.Call) -> bool:
    """Whether nothing outside of a loop calls what one in it does."""
    alike = module.calls.get(last_name(call.func), ())
    return all(any(above is loop for above in module.ancestors(each)) for each in alike)
