"""How an optimizer is stepped: compiled, once in its life, or through a gradient scaler."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.context import modes
from torchperf_lint.facts.idioms import momentum
from torchperf_lint.facts.index import blocks
from torchperf_lint.facts.index.names import dotted

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def steps_compiled(facts: Facts, _: ast.AST) -> bool:
    """Whether the step of an optimizer is compiled: it is handed to `torch.compile`, or stands in what is."""
    module = facts.module
    steps = module.calls.get("step", ())
    if any(modes.compiled(module, step) is not None for step in steps):
        return True
    around = {module.function_of(step).name for step in steps}
    for call in module.calls.get("compile", ()):
        if dotted(module.function_of(call), call.func) == "torch.compile":
            for given in call.args[:1]:
                if (isinstance(given, ast.Attribute) and given.attr in {"step", *around}) or (
                    isinstance(given, ast.Name) and given.id in around
                ):
                    return True
    return False


def steps_once(facts: Facts, made: ast.AST) -> bool:
    """Whether an optimizer steps but once in its life: its function keeps it to itself, and calls `step` in no loop."""
    module = facts.module
    match module.parents.get(made):
        case ast.Assign(targets=[ast.Name(id=name)]):
            function = module.function_of(made)
        case _:
            return False
    if name in function.inner_reads:
        return False
    reads = [module.parents.get(load) for load in function.scope.loads.get(name, ())]
    steps = [read for read in reads if isinstance(read, ast.Attribute) and read.attr == "step"]
    home = blocks.loop(module, made)
    return (
        bool(steps)
        and all(isinstance(read, ast.Attribute) for read in reads)
        and all(blocks.loop(module, step) is home for step in steps)
    )


def may_be_scaled(facts: Facts, made: ast.AST) -> bool:
    """Whether a gradient scaler may step the optimizer that a call makes."""
    return not isinstance(made, ast.Call) or momentum.may_be_scaled(facts.analysis, facts.module, made)
