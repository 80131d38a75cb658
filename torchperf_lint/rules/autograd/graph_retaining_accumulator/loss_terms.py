"""The terms of a loss: what is added up to it is a tensor with a graph, also where nothing shows what computed it.

    losses = criterion(model(x))
    loss = losses["cls"] + 0.5 * losses["box"]        two terms
    (loss / every).backward()

A factor is a term only beside a number: of `loss * weight` either may be the tensor.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import losses
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.rules.autograd.graph_retaining_accumulator import backward_passes

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_NUMBERS: Final = frozenset(("int", "float", "len", "round", "item"))


@once
def of_loop(analysis: Analysis, where: tuple[Module, ast.AST]) -> set[str]:
    """The terms of the losses that the backward passes of a loop start from, as they are written."""
    module, loop = where
    starts = (start for call in backward_passes.of(module, loop) for start in losses.starts(call))
    return {ast.unparse(each) for start in starts for each in _terms(analysis, module, start, losses.DEEP)}


def _terms(analysis: Analysis, module: Module, node: ast.expr, depth: int) -> Iterator[ast.expr]:
    match node:
        case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=right):
            yield from _terms(analysis, module, left, depth)
            yield from _terms(analysis, module, right, depth)
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            for one, other in ((left, right), (right, left)):
                if analysis.value(other, module).kind == "number":
                    yield from _terms(analysis, module, one, depth)
        case ast.BinOp(op=ast.Div(), left=left):
            yield from _terms(analysis, module, left, depth)
        case ast.Call(func=ast.Attribute(attr="scale"), args=[scaled]):
            yield from _terms(analysis, module, scaled, depth)
        case ast.Name() if depth:
            yield node
            for bound in losses.bindings(module, node):
                yield from _terms(analysis, module, bound, depth - 1)
        case ast.Subscript(value=ast.Name(), slice=ast.Constant()):
            yield node


def may_be_number(analysis: Analysis, module: Module, term: ast.expr) -> bool:
    """Whether a term is, or is bound to, a number of Python in some case: `aux = 0.0` above an `if`."""
    if not isinstance(term, ast.Name):
        return analysis.value(term, module).kind == "number"
    bound = list(losses.bindings(module, term))
    return not bound or any(
        analysis.value(each, module).kind == "number"
        or (isinstance(each, ast.Call) and last_name(each.func) in _NUMBERS)
        for each in bound
    )
