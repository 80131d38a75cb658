"""The backward passes of a loop, or of a function: what they start from, and what they go through.

Each loop is walked once, however many of its lines ask. Knows names and their places alone.
"""

from __future__ import annotations

import ast

from torchperf_lint.facts.idioms import losses
from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import place_of
from torchperf_lint.facts.knowledge import lightning


@once
def of(module: Module, loop: ast.AST) -> list[ast.Call]:
    """The backward passes in a loop, or in a function."""
    return [call for call in inside.calls(module, loop) if _is_backward(call)]


@once
def starts_of_file(module: Module, _: None) -> set[str]:
    """What a backward pass of the file starts from."""
    return {
        ast.unparse(start)
        for name in lightning.BACKWARD
        for call in module.calls.get(name, ())
        for start in losses.starts(call)
    }


def _is_backward(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in lightning.BACKWARD


@once
def gone_through(module: Module, loop: ast.AST) -> set[str]:
    """The names and attributes that the backward passes of a loop go through, as far as they are bound in there."""
    starts = (start for call in of(module, loop) for start in losses.starts(call))
    expressions = {each for start in starts for each in losses.origins(module, start)}
    return {
        ast.unparse(part)
        for expression in expressions
        if inside.is_inside(module, expression, loop)
        for part in ast.walk(expression)
        if isinstance(part, (ast.Name, ast.Attribute))
    }


@once
def started_from(module: Module, loop: ast.AST) -> set[str]:
    """What the backward passes of a loop start from, and its parts."""
    starts = (start for call in of(module, loop) for start in losses.starts(call))
    return {ast.unparse(part) for start in starts for part in ast.walk(start)}


def is_loss(module: Module, text: str, loop: ast.AST, statement: ast.AST) -> bool:
    """Whether something that a statement reads is what a backward pass of its loop started from."""
    first = of(module, loop)[0]
    return text in started_from(module, loop) and not is_bound_between(module, text, first, statement)


def is_bound_between(module: Module, name: str, start: ast.AST, statement: ast.AST) -> bool:
    """Whether a name is bound anew behind a backward pass: `loss = loss.detach()`, be it on one path alone."""
    stores = module.function_of(statement).scope.stores.get(name, ())
    return any(place_of(start) < place_of(store) < place_of(statement) for store in stores)
