"""Loops that work out, from the slices of a turn alone, what could be worked out for all turns before.

    for t in reversed(range(n)):
        delta = reward[t] + gamma * value[t + 1] * alive[t] - value[t]       none of it hangs on another turn
        last = advantage[t] = delta + gamma * decay * alive[t] * last

Knows syntax, and what is a tensor.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.index import blocks
from torchperf_lint.facts.index.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts

_LEAST = 2
"""Operators, and slices, that an expression must have to be worth a tensor of its own."""
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def are_worked_out(facts: Facts, loop: ast.For) -> bool:
    """Whether a loop over numbers has an expression that is made of slices of its own turn, and of what does not change."""
    if not isinstance(loop.target, ast.Name) or not _counts(loop.iter):
        return False
    nodes = [node for part in loop.body for node in walk(part, into_scopes=False)]
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {
        ast.unparse(node.value) for node in nodes if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
    }
    sums = [node for node in nodes if isinstance(node, ast.BinOp) and isinstance(node.op, _ARITHMETIC)]
    return any(
        _is_of_turn(facts, each, loop.target.id, bound) and blocks.loop(facts.module, each) is loop for each in sums
    )


def _counts(iterated: ast.expr) -> bool:
    """`range(n)`, `reversed(range(n))`."""
    match iterated:
        case ast.Call(func=ast.Name(id="reversed"), args=[inner]):
            return _counts(inner)
    return isinstance(iterated, ast.Call) and isinstance(iterated.func, ast.Name) and iterated.func.id == "range"


def _is_of_turn(facts: Facts, node: ast.BinOp, turn: str, bound: set[str]) -> bool:
    """Whether a formula has slices of the turn for its operands, several of them, and else nothing that the loop binds."""
    operators = sum(isinstance(each, ast.BinOp) for each in _inner(node))
    leaves = [each for each in _inner(node) if not isinstance(each, (ast.BinOp, ast.UnaryOp))]
    slices = [each for each in leaves if isinstance(each, ast.Subscript)]
    if operators < _LEAST or len(slices) < _LEAST or not all(_is_slice(each, turn, bound) for each in slices):
        return False
    others = [each for each in leaves if each not in slices]
    if not all(isinstance(each, (ast.Name, ast.Attribute, ast.Constant)) for each in others):
        return False
    if any(isinstance(name, ast.Name) and name.id in {turn, *bound} for each in others for name in walk(each)):
        return False
    return all(facts.analysis.value(each.value, facts.module).kind == "tensor" for each in slices) and not any(
        facts.analysis.value(each.value, facts.module).on_host for each in slices
    )


def _inner(node: ast.expr) -> Iterator[ast.expr]:
    """A formula, its operators and its operands."""
    yield node
    match node:
        case ast.BinOp(left=left, right=right):
            yield from _inner(left)
            yield from _inner(right)
        case ast.UnaryOp(operand=operand):
            yield from _inner(operand)


def _is_slice(node: ast.Subscript, turn: str, bound: set[str]) -> bool:
    """Whether a tensor that the loop leaves alone is cut where the turn says: `value[t]`, `value[..., t + 1, :]`."""
    if ast.unparse(node.value) in bound or not isinstance(node.value, (ast.Name, ast.Attribute)):
        return False
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    turns = [each for each in parts if _is_place(each, turn)]
    return len(turns) == 1 and all(each in turns or _is_whole(each) for each in parts)


def _is_place(part: ast.expr, turn: str) -> bool:
    match part:
        case ast.BinOp(left=ast.Name(id=name), op=ast.Add() | ast.Sub(), right=ast.Constant()):
            return name == turn
    return isinstance(part, ast.Name) and part.id == turn


def _is_whole(part: ast.expr) -> bool:
    if isinstance(part, ast.Slice):
        return part.lower is part.upper is part.step is None
    return isinstance(part, ast.Constant) and part.value is ...
