"""Expressions over what masks select: which of them could as well be computed everywhere, and chosen from afterwards.

    x[mask]                                the selection itself
    (x[mask] - y[mask]).abs() * 2          the same elements of two tensors, each by itself
    model(x[mask])                         not one: the model may look at the elements together

What is computed everywhere is computed where the mask is false too. Behind `torch.where` the gradient there is zero, but
zero times infinity is NaN, so it matters whether an operation on the way multiplies it with anything of its input.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.facts.idioms import counts, shapes
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.interpret import indexing
from torchperf_lint.facts.knowledge import pointwise

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_SELECTS: Final = frozenset(("masked_select",))
_REDUCES: Final = frozenset(("sum", "mean", "max", "min", "amax", "amin", "any", "all"))
_OPERATORS: Final[dict[str, ast.operator]] = {
    "pow": ast.Pow(), "div": ast.Div(), "divide": ast.Div(), "true_divide": ast.Div(), "mul": ast.Mult(), "multiply": ast.Mult(),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Read:
    """A place that reads under a mask: `x[mask]`; nodes of Python's tree, or of LibCST's where `Facts` hands it out."""

    node: Any
    source: Any
    """The tensor that is read from."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What an expression does with the elements that a mask selects."""

    mask: Any
    reads: tuple[Read, ...]
    linear: bool
    """The backward pass needs none of what was read."""


def only_mask(analysis: Analysis, module: Module, node: ast.Subscript) -> ast.expr | None:
    """The mask that is all of an index."""
    forms = indexing.understood(node, lambda part: analysis.value(part, module))
    match forms:
        case [("mask", part, _)] if part is node.slice:
            return part
    return None


def read(analysis: Analysis, module: Module, node: ast.expr) -> Selection | None:
    """What an expression does with what one mask selects; None if it is not done to each element by itself."""
    search = _Search(analysis, module)
    if not search.visit(node) or not search.reads or search.mask is None:
        return None
    return Selection(search.mask, tuple(search.reads), search.linear)


class _Search:
    """One walk over an expression."""

    def __init__(self, analysis: Analysis, module: Module) -> None:
        self.analysis = analysis
        self.module = module
        self.mask: ast.expr | None = None
        self.reads: list[Read] = []
        self.linear = True

    def visit(self, node: ast.expr) -> bool:
        """Whether an expression works on each element; notes what it meets."""
        match node:
            case ast.Subscript():
                return self._select(node)
            case ast.UnaryOp(op=ast.USub() | ast.Invert(), operand=operand):
                return self.visit(operand)
            case ast.Compare(left=left, comparators=[right], ops=[op]) if not isinstance(
                op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)
            ):
                return self._each([left, right])
            case ast.BinOp(left=left, op=op, right=right):
                return self._each([left, right]) and self._operator(op, left, right)
            case ast.Call():
                return self._call(node)
        return False

    def _each(self, parts: list[ast.expr]) -> bool:
        return all(shapes.is_scalar(self.analysis.value(part, self.module)) or self.visit(part) for part in parts)

    def _select(self, node: ast.Subscript) -> bool:
        mask = only_mask(self.analysis, self.module, node)
        return mask is not None and self._read(node, node.value, mask)

    def _read(self, node: ast.expr, source: ast.expr, mask: ast.expr) -> bool:
        if self.mask is not None and ast.dump(mask) != ast.dump(self.mask):
            return False
        self.mask = mask
        self.reads.append(Read(node, source))
        return self.analysis.value(source, self.module).kind == "tensor"

    def _operator(self, op: ast.operator, left: ast.expr, right: ast.expr) -> bool:
        by_number = self._is_constant(right)
        match op:
            case ast.Add() | ast.Sub() | ast.BitAnd() | ast.BitOr() | ast.BitXor():
                return True
            case ast.Mult():
                self.linear &= by_number or self._is_constant(left)
                return True
            case ast.Div():
                self.linear &= by_number
                return True
            case ast.Pow():
                self.linear = False
                return True
        return isinstance(op, (ast.Mod, ast.FloorDiv)) and by_number

    def _is_constant(self, node: ast.expr) -> bool:
        """Whether no gradient goes to a scalar, so that the backward needs nothing of what it is multiplied with."""
        value = self.analysis.value(node, self.module)
        return value.kind == "number" or (value.kind == "tensor" and value.rank == 0 and value.grad is False)

    def _call(self, node: ast.Call) -> bool:
        if shapes.operation(self.analysis, self.module, node, _SELECTS) is not None and not node.keywords:
            selected = shapes.operands(self.analysis, self.module, node)
            return len(selected) == 2 and self._read(node, *selected)
        name = shapes.operation(self.analysis, self.module, node, pointwise.NAMES)
        if (
            name is None
            or any(isinstance(arg, ast.Starred) for arg in node.args)
            or any(k.arg in (None, "out") for k in node.keywords)
        ):
            return False
        parts = shapes.operands(self.analysis, self.module, node)
        if not self._each(parts):
            return False
        if name in _OPERATORS and len(parts) == 2:
            return self._operator(_OPERATORS[name], *parts)
        self.linear &= name in pointwise.LINEAR
        return True


def reduced(analysis: Analysis, module: Module, call: ast.Call) -> tuple[str, ast.expr] | None:
    """The reduction that a call is, and what it reduces; arguments aside."""
    name = shapes.operation(analysis, module, call, _REDUCES)
    return (name, shapes.operands(analysis, module, call)[0]) if name is not None else None


def reducer(analysis: Analysis, module: Module, node: ast.expr) -> ast.Call | None:
    """The reduction that a value ends in, through operations on each element."""
    above = _beyond(analysis, module, node)
    return above if isinstance(above, ast.Call) and reduced(analysis, module, above) is not None else None


def _beyond(analysis: Analysis, module: Module, node: ast.expr) -> ast.AST | None:
    """What takes a value after all operations on each element."""
    above = module.parents.get(node)
    while isinstance(above, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Attribute)) or (
        isinstance(above, ast.Call) and shapes.operation(analysis, module, above, pointwise.NAMES) is not None
    ):
        above = module.parents.get(above)
    return above


def shrinks(analysis: Analysis, module: Module, mask: ast.expr) -> bool:
    """Whether a mask also selects elements that are kept as they are, so that its indices are needed all the same."""
    if not isinstance(mask, ast.Name):
        return False
    for load in module.function_of(mask).scope.loads.get(mask.id, ()):
        at = module.parents.get(load)
        if not isinstance(at, ast.Subscript) or at.slice is not load or not isinstance(at.ctx, ast.Load):
            continue
        is_needed = counts.count(module, at)[0] is None and reducer(analysis, module, at) is None
        if is_needed and not _writes_under(_beyond(analysis, module, at), mask):
            return True
    return False


def _writes_under(node: ast.AST | None, mask: ast.Name) -> bool:
    """Whether a statement writes what it reads back under the same mask."""
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    return isinstance(target, ast.Subscript) and ast.dump(target.slice) == ast.dump(mask)
