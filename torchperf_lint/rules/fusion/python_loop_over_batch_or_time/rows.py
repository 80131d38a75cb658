"""Loops that write a tensor row by row, where indices or a comparison give all rows at once.

    for i, n in enumerate(lengths): mask[i, :n] = True              torch.arange(size)[None] < lengths[:, None]
    for b in range(n): last[b] = x[b, lengths[b] - 1]               x[torch.arange(n), lengths - 1]

Knows syntax, and what is a tensor.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index.walk import last_name, walk
from torchperf_lint.rules.fusion.python_loop_over_batch_or_time import counts

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_OF_PYTHON: Final = frozenset(("int", "float", "len", "min", "max", "round", "item", "size", "dim"))
"""Calls that give a number of Python."""


def are_of_lengths(facts: Facts, loop: ast.For) -> bool:
    """Whether a loop does nothing but write a number into a part of each row, up to a place, or from one, that the row has."""
    row = _row(loop)
    if row is None:
        return False
    of_turn, written = {each.id for each in walk(loop.target) if isinstance(each, ast.Name)}, 0
    for statement in loop.body:
        match statement:
            # Ex) height, width = metas[i]["shape"][:2]
            case ast.Assign(targets=[ast.Name() | ast.Tuple() as target], value=value) if _is_of_python(value):
                of_turn |= {each.id for each in walk(target) if isinstance(each, ast.Name)}
            case ast.Assign(targets=[ast.Subscript(value=tensor, slice=ast.Tuple(elts=parts))], value=value):
                if not _is_part(parts, row, of_turn) or not counts.is_tensor(facts, tensor):
                    return False
                if facts.analysis.value(value, facts.module).kind not in ("number", "bool"):
                    return False
                written += 1
            case ast.Expr(value=ast.Constant()):
                continue
            case _:
                return False
    return written > 0


def _row(loop: ast.For) -> str | None:
    """The name that counts the turns: `i` of `for i in range(n)`, and of `for i, n in enumerate(lengths)`."""
    match loop:
        case ast.For(
            target=ast.Tuple(elts=[ast.Name(id=row), _]), iter=ast.Call(func=ast.Name(id="enumerate"), args=[_])
        ):
            return row
        case ast.For(target=ast.Name(id=row)) if counts.counted(loop.iter) is not None:
            return row
    return None


def _is_part(parts: list[ast.expr], row: str, of_turn: set[str]) -> bool:
    """Whether an index takes the row of the turn, and of that a part whose bounds the turn gives."""
    at, *rest = parts
    if not isinstance(at, ast.Name) or at.id != row:
        return False
    slices = [each for each in rest if isinstance(each, ast.Slice)]
    others = [each for each in rest if not isinstance(each, ast.Slice)]
    if any(each.step is not None for each in slices) or not all(_is_ellipsis(each) for each in others):
        return False
    bounds = [bound for each in slices for bound in (each.lower, each.upper) if bound is not None]
    return any(_names(each) & of_turn for each in bounds) and all(map(_is_of_python, bounds))


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _is_of_python(node: ast.expr) -> bool:
    """Whether an expression calls nothing but what gives a number of Python."""
    return all(last_name(each.func) in _OF_PYTHON for each in walk(node) if isinstance(each, ast.Call))


def are_gathered(facts: Facts, loop: ast.For) -> bool:
    """Whether a loop, with loops in it, does nothing but take from a tensor what a tensor of indices says of each place."""
    around = facts.module.parents.get(loop)
    if isinstance(around, ast.For) and around.body == [loop] and isinstance(around.target, ast.Name):
        return False  # the loop around it is asked
    turns: set[str] = set()
    body: list[ast.stmt] = [loop]
    while len(body) == 1 and isinstance(body[0], ast.For):
        inner = body[0]
        if not isinstance(inner.target, ast.Name) or counts.counted(inner.iter) is None or inner.orelse:
            return False
        turns.add(inner.target.id)
        body = inner.body
    return bool(body) and all(_gathers(facts, each, turns) for each in body)


def _gathers(facts: Facts, statement: ast.stmt, turns: set[str]) -> bool:
    """`out[i, j] = x[i, places[i, j]]`: what is written, and what is read, hang on the turn."""
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=written, slice=at)], value=ast.Subscript() as read):
            pass
        case _:
            return False
    if not turns <= _names(at) or any(map(_is_call_or_bound, walk(statement))):
        return False
    source, parts = read.value, [read.slice]
    while isinstance(source, ast.Subscript):  # Ex) x[i][places[i]]
        parts.append(source.slice)
        source = source.value
    looked_up = [each for part in parts for each in walk(part) if isinstance(each, ast.Subscript)]
    return (
        any(
            _names(each.slice) & turns and facts.analysis.value(each.value, facts.module).kind == "tensor"
            for each in looked_up
        )
        and counts.is_tensor(facts, source)
        and counts.is_tensor(facts, written)
        and not _names(source) & turns
    )


def _is_call_or_bound(node: ast.AST) -> bool:
    """A call, or a part of a row, may be another for each."""
    return isinstance(node, ast.Call) or (isinstance(node, ast.Slice) and bool(node.lower or node.upper or node.step))


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in walk(node) if isinstance(each, ast.Name)}
