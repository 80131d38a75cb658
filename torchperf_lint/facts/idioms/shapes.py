"""Whether two tensors have one shape, without knowing it: both were made element by element from the same thing.

    mask = torch.isnan(x)        as x
    x = x * 2                    as x was
    x[mask]                      so the mask covers all of x

The origin of an expression is what is left when operations on each element are taken off: a parameter, the target of
an assignment, a call that is none of them. Numbers beside a tensor change no shape, nor do tensors without dimensions.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import UNKNOWN, Fact, Sure
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.knowledge import canonical, pointwise

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_ALIKE: Final = frozenset(
    ("zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like", "randint_like", "cuda", "cpu", "softmax",
     "log_softmax", "dropout", "cumsum", "cumprod", "bernoulli", "requires_grad_")
)  # fmt: skip
"""Operations that keep the shape of their first tensor, though each element depends on more than itself."""
_DEEP: Final = 20

Origin = tuple[object, ...]


def operation(analysis: Analysis, module: Module, call: ast.Call, known: frozenset[str]) -> str | None:
    """The operation of torch that a call is, if it is among some; the tensor of a method is not looked at."""
    function = call.func
    if isinstance(function, ast.Attribute):
        receiver = analysis.value(function.value, module)
        if receiver.kind in ("tensor", "tensor_tree"):
            return function.attr if function.attr in known else None
    dotted = names.dotted(module.function_of(call), function)
    head, _, last = canonical(dotted or "").rpartition(".")
    return last if head in ("torch", "torch.nn.functional", "torch.special") and last in known else None


def operands(analysis: Analysis, module: Module, call: ast.Call) -> list[ast.expr]:
    """What a call of an operation works on: the receiver of a method, and all arguments."""
    function = call.func
    is_method = isinstance(function, ast.Attribute) and analysis.value(function.value, module).kind in (
        "tensor",
        "tensor_tree",
    )
    receiver = [function.value] if is_method and isinstance(function, ast.Attribute) else []
    return [*receiver, *call.args, *(keyword.value for keyword in call.keywords)]


def is_scalar(value: Value) -> bool:
    """Whether a value beside a tensor changes no shape: a number, a setting, a tensor without dimensions."""
    return value.kind in ("number", "none", "dtype", "device", "string", "size") or (
        value.kind == "tensor" and value.rank == 0
    )


@dataclass(slots=True)
class _Search:
    """The way from an expression to its origin."""

    analysis: Analysis
    module: Module
    sure: Sure = Sure.PROVEN

    def look(self, node: ast.AST) -> Value:
        return self.analysis.value(node, self.module)

    def origin(self, node: ast.expr, depth: int = _DEEP) -> Origin:
        if not depth:
            return ("here", node)
        match node:
            case ast.Name():
                return self._of_name(node, depth)
            case ast.Attribute(value=ast.Name(id=owner), attr=attr):
                bound = any(each.attr == attr for each in self.module.function_of(node).sets)
                return ("here", node) if bound else ("attribute", owner, attr)
            case ast.UnaryOp(op=ast.Invert() | ast.USub(), operand=operand):
                return self.origin(operand, depth - 1)
            case ast.BinOp(left=left, op=op, right=right) if not isinstance(op, ast.MatMult):
                return self._common(node, [left, right], depth)
            case ast.Compare(left=left, comparators=[right]):
                return self._common(node, [left, right], depth)
            case ast.Call():
                kept = operation(self.analysis, self.module, node, pointwise.NAMES)
                if kept is not None:
                    return self._common(node, operands(self.analysis, self.module, node), depth)
                if operation(self.analysis, self.module, node, _ALIKE) is not None:
                    return self.origin(operands(self.analysis, self.module, node)[0], depth - 1)
            case ast.Subscript(value=base, slice=index) if _is_constant(index):
                return ("item", self.origin(base, depth - 1), ast.dump(index))
        return ("here", node)

    def _of_name(self, node: ast.Name, depth: int) -> Origin:
        binding = definitions.reaching(self.module, node)
        if binding is None:
            return ("here", node)
        value = definitions.unpacked(self.module, binding)
        if value is None or self.look(value).kind != "tensor":
            return ("here", binding)
        return self.origin(value, depth - 1)

    def _common(self, node: ast.expr, parts: list[ast.expr], depth: int) -> Origin:
        """The one origin of the operands, numbers aside."""
        found: set[Origin] = set()
        for part in parts:
            value = self.look(part)
            if is_scalar(value):
                self.sure = min(self.sure, value.sure)
            else:
                found.add(self.origin(part, depth - 1))
        return found.pop() if len(found) == 1 else ("here", node)


def _is_constant(index: ast.expr) -> bool:
    return all(
        isinstance(each, (ast.Constant, ast.Slice, ast.Tuple, ast.UnaryOp, ast.USub, ast.Load))
        for each in ast.walk(index)
    )


def same(analysis: Analysis, module: Module, one: ast.expr, other: ast.expr) -> Fact[bool]:
    """Whether two tensors have the same shape, as far as where they come from tells."""
    search = _Search(analysis, module)
    if search.origin(one) != search.origin(other):
        return Fact(UNKNOWN)
    sure = min(search.sure, search.look(one).sure, search.look(other).sure)
    return Fact(True, sure)


def dimensions_short(analysis: Analysis, module: Module, mask: ast.expr, tensor: ast.expr) -> int | None:
    """How many dimensions a mask has less than what it selects from; None where that is not known."""
    held, chosen = analysis.value(tensor, module), analysis.value(mask, module)
    if held.kind == chosen.kind == "tensor" and held.rank is not None and chosen.rank is not None:
        return held.rank - chosen.rank
    return 0 if same(analysis, module, mask, tensor).known else None
