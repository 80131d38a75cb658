"""Conditions that are worked out before they are asked, and kept under a name: those that hold each so many turns.

    due = step % 100 == 0
    if due: ...                                                          asks the same as the line above
    self.due = self.wanted and self.step % self.interval == 0
    if self.due: ...                                                     the same, whatever `__init__` sets it to

Knows syntax and names, nothing of values.
"""

from __future__ import annotations

import ast

from torchperf_lint.facts.guesses import condition_names
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import last_name


def is_due(module: Module, asked: ast.expr) -> bool:
    """Whether a name, or an attribute of its own object, is bound to a condition that holds each so many turns."""
    function = module.function_of(asked)
    match asked:
        case ast.Name(id=name):
            home = names.scope_of(function, name)
            stores = home.scope.stores[name] if home is not None else []
            return len(stores) == 1 and _is_bound_to_due(module, stores[0])
        case ast.Attribute(value=ast.Name(id=receiver), attr=attr):
            method = function.method
            owner = method.owner if method is not None and method.positional[:1] == (receiver,) else None
            if owner is None:
                return False
            sets = (each for own in owner.methods.values() for each in own.sets if each.attr == attr)
            return any(_is_bound_to_due(module, each) for each in sets)
    return False


def _is_bound_to_due(module: Module, store: ast.AST) -> bool:
    match module.parents.get(store):
        case ast.Assign(targets=[_], value=value):
            return _holds_each_so_many(value)
    return False


def _holds_each_so_many(test: ast.expr) -> bool:
    """`step % 100 == 0`, `wanted and not self.calls % self.interval`."""
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            return any(map(_holds_each_so_many, values))
        case ast.Compare(left=rest, ops=[ast.Eq()]) | ast.UnaryOp(op=ast.Not(), operand=rest):
            return is_of_turns(rest)
    return False


def is_of_turns(rest: ast.expr) -> bool:
    """Whether a rest is that of a turn, or of a period, `(step - 1) % save_every`, and not of a size, `x.shape[1] % 8`."""
    match rest:
        case ast.BinOp(left=left, op=ast.Mod(), right=right):
            turn = left.left if isinstance(left, ast.BinOp) else left
            return condition_names.is_turn(last_name(turn)) or condition_names.is_period(last_name(right))
    return False
