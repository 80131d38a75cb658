"""The parts of a condition whose truth Python asks for: of `a > 0 and not b.any()` these are `a > 0` and `b.any()`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from torchperf_lint.facts.index.module import Module


def is_test(module: Module, node: ast.AST) -> bool:
    """Whether a node is the condition, or a part of that, of a statement that is looked at itself."""
    above = module.parents.get(node)
    if isinstance(above, (ast.BoolOp, ast.UnaryOp)):
        return True
    return isinstance(above, (ast.If, ast.While, ast.IfExp, ast.Assert)) and above.test is node


def asked(test: ast.expr) -> Iterator[ast.expr]:
    """Each part that is asked, one after the other."""
    match test:
        case ast.BoolOp(values=values):
            for each in values:
                yield from asked(each)
                if _is_mode(each):
                    return  # what is behind `reduce == "sum" and` is asked in one mode of several
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from asked(operand)
        case ast.Compare(ops=[ast.Is() | ast.IsNot() | ast.In() | ast.NotIn(), *_]):
            return
        case _:
            yield test


def _is_mode(test: ast.expr) -> bool:
    """Whether a condition compares with a name of a mode."""
    match test:
        case ast.Compare(comparators=[ast.Constant(value=str())]):
            return True
    return False
