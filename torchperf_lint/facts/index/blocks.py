"""What a statement stands in: the innermost loop around it, and the block of statements that it is one of."""

from __future__ import annotations

import ast

from torchperf_lint.facts.index import inside
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import LOOPS, ClosedNode, Loop, in_body


def loop(module: Module, node: ast.AST) -> Loop | None:
    """The innermost loop whose body a node stands in, within its function."""
    below = node
    for above in module.ancestors(node):
        if isinstance(above, ClosedNode):
            return None
        if isinstance(above, LOOPS) and in_body(below, above):
            return above
        below = above
    return None


def block(module: Module, statement: ast.stmt) -> list[ast.stmt]:
    """The block that a statement is one of: a body, what stands behind an `else` or a `finally`; else it alone."""
    place = inside.block_of(module, statement)
    return place[0].statements if place is not None else [statement]
