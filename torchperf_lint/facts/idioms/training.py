"""Whether a backward pass is one of a training: something steps near it.

loss.backward(); optimizer.step()                      it is
y.sum().backward(); print((x.grad - other).abs())      gradients of two implementations are compared
for _ in range(30): loss.backward()                    or a backward pass is timed
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.index.module import Module

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


def steps_near(analysis: Analysis, module: Module, node: ast.AST) -> bool:
    """Whether something steps in the function of a node, in one that calls it, or in its class."""
    function = module.function_of(node)
    near = {function, *function.around(), *(module.function_of(call) for call in analysis.sites(function))}
    classes = {each.owner for each in near} - {None}
    steps = (module.function_of(call) for call in module.calls.get("step", ()))
    return any(each in near or each.owner in classes for at in steps for each in (at, *at.around()))
