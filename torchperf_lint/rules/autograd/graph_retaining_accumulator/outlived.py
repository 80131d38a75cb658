"""Graphs that outlive their step though the loop shows no backward pass: it is done in a call, or there is none.

loss = train_step(model, batch)     the call does the backward pass, and returns the loss as it was
losses.append(loss)                 so this keeps the nodes of its graph

outputs.append(model(x))            in an evaluation with gradients on: all of the graph, activations too
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact
from torchperf_lint.facts.idioms import evaluation, losses
from torchperf_lint.facts.index import blocks, definitions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import walk
from torchperf_lint.facts.interpret import classes
from torchperf_lint.facts.knowledge import lightning

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


def by_call(analysis: Analysis, module: Module, value: ast.expr) -> Evidence | None:
    """The backward pass of a function, if that is what returns a value, with the graph that the pass went through."""
    binding = definitions.reaching(module, value) if isinstance(value, ast.Name) else None
    above = module.parents.get(binding) if binding is not None else None
    match above:
        case ast.Assign(targets=[target], value=ast.Call() as call) if target is binding:
            place = None
        case ast.Tuple(elts=parts) if isinstance(assign := module.parents.get(above), ast.Assign):
            if not isinstance(assign.value, ast.Call):
                return None
            call, place = assign.value, parts.index(binding)  # type: ignore[arg-type]
        case _:
            return None
    callee = _callee(analysis, module, call)
    return _returned(analysis, callee, place) if callee is not None and not callee.decorators else None


def _callee(analysis: Analysis, module: Module, call: ast.Call) -> Function | None:
    """The function of the program that a call runs."""
    if isinstance(call.func, ast.Attribute):
        receiver = analysis.value(call.func.value, module).ref
        return classes.find_method(analysis, receiver, call.func.attr) if isinstance(receiver, Class) else None
    callee = analysis.value(call.func, module)
    return callee.ref if callee.kind == "function" and isinstance(callee.ref, Function) else None


def _returned(analysis: Analysis, function: Function, place: int | None) -> Evidence | None:
    """The backward pass of a function from what each of its `return` gives, at a place of a tuple or as it is."""
    module, passes, returned = function.module, [], []
    for node in walk(function.node, into_scopes=False):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in lightning.BACKWARD:
            passes.append(node)
        elif isinstance(node, ast.Return):
            returned.append(node.value)
    if place is not None:
        returned = [
            each.elts[place] if isinstance(each, ast.Tuple) and place < len(each.elts) else None for each in returned
        ]
    if (
        not passes
        or not returned
        or any(keyword.arg in ("retain_graph", "create_graph") for each in passes for keyword in each.keywords)
    ):
        return None
    starts = {each.id for call in passes for each in _starts(call)}
    if all(isinstance(each, ast.Name) and each.id in starts and analysis.value(each, module).grad for each in returned):
        return Evidence(passes[0], "the backward pass of the step is done with the graph", module.path)
    return None


def _starts(call: ast.Call) -> Iterator[ast.Name]:
    """The names that a backward pass starts from: of `loss.backward()`, `scaler.scale(loss).backward()`."""
    for part in losses.starts(call):
        if isinstance(part, ast.Call):
            yield from (each for each in part.args if isinstance(each, ast.Name))
        elif isinstance(part, ast.Name):
            yield part


def by_evaluation(
    analysis: Analysis, module: Module, statement: ast.AST, value: ast.expr
) -> Fact[evaluation.Evaluation]:
    """The evaluation with gradients on that a statement stands in, if a value is one of its outputs."""
    loop = blocks.loop(module, statement)
    found = Fact(UNKNOWN)
    while loop is not None and not found.known:
        found = evaluation.of_loop(analysis, module, loop) if not isinstance(loop, ast.AsyncFor) else Fact(UNKNOWN)
        loop = blocks.loop(module, loop)
    held = analysis.value(value, module)
    has_graph = held.grad is True or (held.kind == "unknown" and _is_output(module, value, found))
    return found if found.known and has_graph else Fact(UNKNOWN)


def _is_output(module: Module, value: ast.expr, found: Fact[evaluation.Evaluation]) -> bool:
    """Whether a name is bound to what the model gives, as it is."""
    binding = definitions.reaching(module, value) if isinstance(value, ast.Name) and found.known else None
    return binding is not None and definitions.value_of(module, binding) is found.value.forward
