"""Where the loss of a backward pass comes from: the expressions that it is computed from.

    loss = criterion(model(x), y)         an origin of the loss
    scaled = loss * 1024                  another
    scaled.backward()                     starts here

A value is followed through the names of its own function, back to the nearest bindings that surely came before it.
What a function called there does inside is out of sight. Knows syntax and names alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once

DEEP: Final = 6
"""So many bindings are followed, one through the other."""


def starts(call: ast.Call) -> list[ast.expr]:
    """What a backward pass starts from: the receiver, or the first argument, as in `accelerator.backward(loss)`."""
    received = [call.func.value] if isinstance(call.func, ast.Attribute) else []  # `backward(loss)` is a function
    return [*received, *call.args[:1]]


@once
def origins(module: Module, node: ast.expr) -> list[ast.expr]:
    """The expressions that a value is computed from in its function, itself the first."""
    found, todo = [node], [(node, DEEP)]
    seen: set[tuple[str, ast.AST]] = set()
    while todo:
        expression, depth = todo.pop()
        if not depth:
            continue
        for name in names_in(expression):
            for store in definitions.may_reach(module, name):
                bound = _bound(module, store)
                if bound is not None and (name.id, store) not in seen:
                    seen.add((name.id, store))
                    found.append(bound)
                    todo.append((bound, depth - 1))
    return found


def bindings(module: Module, name: ast.Name) -> Iterator[ast.expr]:
    """The expressions that a name may be bound to where it is read."""
    found = (_bound(module, store) for store in definitions.may_reach(module, name))
    yield from (each for each in found if each is not None)


def names_in(node: ast.AST) -> Iterator[ast.Name]:
    """The names that a value is computed from; not those of what is called: how a model was made is no part of its output."""
    parts = list(ast.walk(node))
    called = {id(part.func) for part in parts if isinstance(part, ast.Call)}
    for part in parts:
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and id(part) not in called:
            yield part


def _bound(module: Module, store: ast.AST) -> ast.expr | None:
    """What a binding takes its value from."""
    match module.parents.get(store):
        case ast.withitem(context_expr=manager):
            return manager
        case ast.NamedExpr(value=value):
            return value
    match module.statement(store):
        case ast.Assign(value=value) | ast.AugAssign(value=value):
            return value
        case ast.AnnAssign(value=annotated):
            return annotated
    return None
