"""Conditions that ask whether a mask selects anything: `mask.any()`, `mask.sum() > 0`, `len(mask.nonzero()) != 0`, ..."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import counts
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import ClosedNode, Module, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_ANY: Final = frozenset(("any", "sum", "count_nonzero", "max"))


def asked(analysis: Analysis, module: Module, test: ast.expr) -> ast.expr | None:
    """The mask of which a condition asks whether it selects anything."""
    match test:
        case ast.Name():
            binding = definitions.reaching(module, test)
            value = definitions.value_of(module, binding) if isinstance(binding, ast.Name) else None
            only = isinstance(binding, ast.Name) and len(definitions.reads_after(module, binding)) == 1
            return asked(analysis, module, value) if only and value is not None else None
        case ast.Compare(left=left, ops=[ast.Gt() | ast.NotEq()], comparators=[ast.Constant(value=0)]):
            return _reduced(analysis, module, left) or _counted(analysis, module, left)
        case ast.Compare(left=left, ops=[ast.GtE()], comparators=[ast.Constant(value=1)]):
            return _reduced(analysis, module, left) or _counted(analysis, module, left)
        case ast.Call(func=ast.Attribute(value=inner, attr="item"), args=[]):
            return asked(analysis, module, inner)
        case ast.Call(func=ast.Name(id="bool"), args=[inner]):
            return asked(analysis, module, inner)
    return _reduced(analysis, module, test) or _counted(analysis, module, test)


def guarded(module: Module, mask: ast.expr, waits: Callable[[ast.AST], bool]) -> bool:
    """Whether a mask is used behind a condition that depends on it and waits: who asked has waited already."""
    while isinstance(mask, ast.UnaryOp):
        mask = mask.operand
    said = ast.dump(mask)
    for asking in _conditions(module, mask):
        condition = list(parts(module, asking))
        if any(ast.dump(each) == said for each in condition[1:]) and any(map(waits, condition)):
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


def parts(module: Module, node: ast.If | ast.IfExp) -> Iterator[ast.AST]:
    """An `if`, and all that computes its condition: what of it waits is for others to say."""
    yield node
    test: ast.AST = node.test
    if isinstance(test, ast.Name):
        binding = definitions.reaching(module, test)
        test = (definitions.value_of(module, binding) if binding is not None else None) or test
    yield from walk(test)


def guard(module: Module, node: ast.AST) -> ast.If | None:
    """The `if` that a node is, or whose condition it is part of."""
    below = node
    while isinstance(below, ast.expr):
        above = module.parents.get(below)
        if isinstance(above, ast.If):
            return above
        if above is None:
            return None
        below = above
    return below if isinstance(below, ast.If) else None


def _mask(analysis: Analysis, module: Module, node: ast.expr) -> ast.expr | None:
    value = analysis.value(node, module)
    return node if value.kind == "tensor" and value.dtype == "bool" else None


def _reduced(analysis: Analysis, module: Module, node: ast.expr) -> ast.expr | None:
    """The mask of `mask.any()`, `torch.any(mask)`, `mask.sum()`, `mask.sum().item()`."""
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr="item"), args=[]):
            return _reduced(analysis, module, inner)
        case ast.Call(func=func, args=[inner], keywords=[]):
            head, _, last = (names.dotted(module.function_of(node), func) or "").rpartition(".")
            return _mask(analysis, module, inner) if head == "torch" and last in _ANY else None
        case ast.Call(func=ast.Attribute(value=inner, attr=attr), args=[], keywords=[]) if attr in _ANY:
            return _mask(analysis, module, inner)
    return None


def _counted(analysis: Analysis, module: Module, node: ast.expr) -> ast.expr | None:
    """The mask of `len(mask.nonzero())`, `torch.nonzero(mask).numel()`."""
    match node:
        case (
            ast.Call(func=ast.Name(id="len"), args=[held])
            | ast.Call(func=ast.Attribute(value=held, attr="numel" | "size"))
        ):
            counted, _ = counts.count(module, held)
            if counted is not node:
                return None
            match held:
                case ast.Call(func=ast.Attribute(value=inner, attr="nonzero"), args=[], keywords=[]):
                    return _mask(analysis, module, inner)
                case ast.Call(func=func, args=[inner], keywords=[]):
                    called = names.dotted(module.function_of(node), func)
                    return _mask(analysis, module, inner) if called in ("torch.nonzero", "torch.argwhere") else None
    return None
