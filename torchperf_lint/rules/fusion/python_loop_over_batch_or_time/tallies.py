"""Loops that count how often each number, or each pair of numbers, is in a tensor: a confusion matrix.

    for label, guess in zip(labels, guesses):
        matrix[label.long(), guess.long()] += 1

Knows syntax, and what is a tensor.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.rules.fusion.python_loop_over_batch_or_time import counts, reads

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_AS_NUMBER: Final = ("long", "int", "item")


def are_counted(facts: Facts, loop: ast.For) -> bool:
    """Whether a loop over tensors does nothing but add a number to an entry of a tensor that the turn's elements name."""
    match loop.body:
        case [ast.AugAssign(target=ast.Subscript(value=table, slice=index), op=ast.Add(), value=ast.Constant())]:
            pass
        case _:
            return False
    places = [_plain(each) for each in (index.elts if isinstance(index, ast.Tuple) else [index])]
    if not places or not _is_tensor(facts, table):
        return False
    items = {each.id for each in ast.walk(loop.target) if isinstance(each, ast.Name)}
    if all(isinstance(each, ast.Name) and each.id in items for each in places):
        return any(_is_tensor(facts, each) for each in reads.side_by_side(loop.iter) or [loop.iter])
    return counts.counted(loop.iter) is not None and all(_is_element(facts, each, items) for each in places)


def _plain(place: ast.expr) -> ast.expr:
    """An index without what makes a whole number of it: `t` of `t.long()`, `int(t)`."""
    match place:
        case ast.Call(func=ast.Attribute(value=inner, attr=name), args=[], keywords=[]) if name in _AS_NUMBER:
            return _plain(inner)
        case ast.Call(func=ast.Name(id="int"), args=[inner]):
            return _plain(inner)
    return place


def _is_element(facts: Facts, place: ast.expr, items: set[str]) -> bool:
    """`labels[i]`, of the turn."""
    match place:
        case ast.Subscript(value=tensor, slice=ast.Name(id=at)):
            return at in items and _is_tensor(facts, tensor)
    return False


def _is_tensor(facts: Facts, node: ast.expr) -> bool:
    """Whether an expression is a tensor, wherever it is: on the CPU such a loop takes its time as well."""
    return facts.analysis.value(node, facts.module).kind == "tensor"
