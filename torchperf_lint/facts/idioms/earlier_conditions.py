"""Conditions around a place, and before it in the blocks around it: who has asked there has waited already."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import ClosedNode, walk


def tested_before(module: Module, mask: ast.expr, waits: Callable[[ast.AST], bool]) -> bool:
    """Whether a mask is used behind a condition that depends on it and waits: who asked has waited already."""
    while isinstance(mask, ast.UnaryOp):
        mask = mask.operand
    text = ast.dump(mask)
    for asking in _conditions(module, mask):
        condition = list(_parts(module, asking))
        if any(ast.dump(each) == text for each in condition[1:]) and any(map(waits, condition)):
            return True
    return False


def _conditions(module: Module, node: ast.AST) -> Iterator[ast.If | ast.IfExp]:
    """The conditions around a node in its function, and those that were asked before it in the blocks around it."""
    below = node
    for above in module.ancestors(node):
        if isinstance(above, ast.If | ast.IfExp) and below is not above.test:
            yield above
        for name in ("body", "orelse"):
            block = getattr(above, name, None)
            if isinstance(block, list) and below in block:
                yield from (each for each in block[: block.index(below)] if isinstance(each, ast.If))
        if isinstance(above, ClosedNode):
            return
        below = above


def _parts(module: Module, node: ast.If | ast.IfExp) -> Iterator[ast.AST]:
    """An `if`, and all that computes its condition: what of it waits is for others to say."""
    yield node
    test: ast.AST = node.test
    if isinstance(test, ast.Name):
        binding = definitions.reaching(module, test)
        test = (definitions.value_of(module, binding) if binding is not None else None) or test
    yield from walk(test)
