"""Operators: what `a + b`, `a < b`, `-a`, `~a` and `a += b` give."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.join import any_item, join
from torchperf_lint.facts.domain.value import ANY, BOOL, CPU, CUDA_THERE, NO, NUMBER, STRING, Value
from torchperf_lint.facts.interpret import cuda_tests, numpy_arrays, tensors

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run

_NAMES: Final[dict[type[ast.AST], str]] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and_", ast.BitOr: "or_", ast.BitXor: "xor",
    ast.LShift: "lshift", ast.RShift: "rshift", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
    ast.Eq: "eq", ast.NotEq: "ne", ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert",
}  # fmt: skip

_FOLDED: Final[dict[str, Callable[[Any, Any], Any]]] = {
    name: getattr(operator, name)
    for name in (
        "add",
        "sub",
        "mul",
        "truediv",
        "floordiv",
        "mod",
        "lt",
        "le",
        "gt",
        "ge",
        "eq",
        "ne",
        "and_",
        "or_",
        "xor",
    )
}
"""Powers and shifts are left out: a linted file may not make the linter compute `9 ** 9 ** 9`."""

_LARGE: Final = 1 << 64


def binary(run: Run, node: ast.BinOp, left: Value, right: Value) -> Value:
    name = _NAMES[node.op.__class__]
    given = _binary(run, node, name, left, right)
    if given.kind == "tensor" and given.dtype is None and name in ("and_", "or_", "xor"):
        sides = ((node.left, left), (node.right, right))
        if all(
            side.dtype == "bool" or (side.kind == "unknown" and isinstance(part, ast.Compare)) for part, side in sides
        ):
            return given.but(dtype="bool")  # Ex) (valid >= 0.5) & (size < limit)
    return given


def _binary(run: Run, node: ast.AST, name: str, left: Value, right: Value) -> Value:
    kinds = (left.kind, right.kind)
    if "tensor" in kinds or "tensor_tree" in kinds:
        return _tensor(run, node, name, left, right)
    if kinds == ("number", "number"):
        return _numbers(name, left, right)
    if left.kind == "string":
        return STRING
    if "ndarray" in kinds:
        return Value("ndarray", min(left.sure, right.sure), ref=numpy_arrays.of_either(left, right))
    if left.kind in ("list", "tuple") and name == "add" and right.kind in ("list", "tuple", "size"):
        return _concatenate(left, right)
    if left.kind in ("list", "tuple") and name == "mul":
        return left.but(items=None, elem=any_item(left))
    if left.kind == "size":
        return Value("tuple")
    if left.kind == right.kind == "set" or left.kind == right.kind == "dict":
        return left.but(items=None, elem=None)
    if set(kinds) <= {"unknown", "number"}:
        # Ex) flow.cpu() - target: of what was copied to the host, whatever it is
        return next((each for each in (left, right) if each.kind == "unknown" and each.device == CPU), ANY)
    return ANY


def _tensor(run: Run, node: ast.AST, name: str, left: Value, right: Value) -> Value:
    """An operation of which one side is a tensor; with an unknown other side it is likely one still."""
    for side in (left, right):
        if side.kind in ("string", "dict", "ndarray", "module", "set", "none"):
            # A tensor with an array on its right is a tensor; anything else here is no arithmetic of torch.
            return ANY
    return tensors.operation(run, node, f"operator.{name}", (left, right))


def _numbers(name: str, left: Value, right: Value) -> Value:
    a, b = left.const, right.const
    if a is not NO and b is not NO and name in _FOLDED:
        try:
            result = _FOLDED[name](a, b)
        except (ArithmeticError, TypeError, ValueError):
            return NUMBER
        if abs(result) < _LARGE:
            return Value("number", dtype=type(result).__name__, const=result)
    kinds, sure = {left.dtype, right.dtype}, min(left.sure, right.sure)
    if name == "truediv":
        return Value("number", sure, dtype="float")
    if None in kinds:
        return NUMBER.but(sure=sure)
    return Value("number", sure, dtype="float" if "float" in kinds else "int" if "int" in kinds else left.dtype)


def _concatenate(left: Value, right: Value) -> Value:
    if isinstance(left.items, tuple) and isinstance(right.items, tuple) and len(left.items) + len(right.items) <= 32:
        return left.but(items=left.items + right.items)
    if right.kind == "size":
        return Value(left.kind)
    return Value(left.kind, min(left.sure, right.sure), elem=join(any_item(left), any_item(right)))


def augmented(run: Run, node: ast.AugAssign, old: Value, added: Value) -> Value:
    """What a target holds after `target += value`: a tensor stays the tensor it was, changed in place."""
    name = _NAMES[node.op.__class__]
    if old.kind == "tensor":
        changed = _tensor(run, node, name, old, added)
        return old.but(grad=changed.grad if changed.kind == "tensor" else None, const=NO)
    if old.kind == "list" and name == "add":
        return old.but(
            items=None,
            elem=any_item(added) if not old.items and old.elem is None else join(any_item(old), any_item(added)),
        )
    return _binary(run, node, name, old, added)


def compare(run: Run, op: ast.cmpop, left: Value, right: Value, node: ast.AST | None = None) -> Value:
    """One comparison; of tensors it gives a tensor of bools."""
    if isinstance(op, (ast.Is, ast.IsNot)):
        return _identity(op, left, right)
    if cuda_tests.compares(op, left, right):
        return CUDA_THERE
    if isinstance(op, (ast.In, ast.NotIn)):
        return BOOL
    kinds = (left.kind, right.kind)
    if "tensor" in kinds or "tensor_tree" in kinds:
        other = right if left.kind in ("tensor", "tensor_tree") else left
        if other.kind in ("none", "string", "device", "dtype") or (
            other.kind in ("tuple", "list", "size") and isinstance(op, (ast.Eq, ast.NotEq))
        ):
            return BOOL  # Python compares what the two are
        return tensors.operation(run, node, f"operator.{_NAMES[op.__class__]}", (left, right))
    if kinds == ("number", "number") or (kinds == ("string", "string") and isinstance(op, (ast.Eq, ast.NotEq))):
        if left.const is not NO and right.const is not NO:
            return Value("number", dtype="bool", const=_FOLDED[_NAMES[op.__class__]](left.const, right.const))
        return BOOL
    if "none" in kinds or "string" in kinds or "dtype" in kinds or "device" in kinds or "symbol" in kinds:
        return BOOL
    if "ndarray" in kinds:
        return Value("ndarray", Sure.LIKELY, ref=numpy_arrays.of_either(left, right))
    return ANY if "unknown" in kinds else BOOL


def _identity(op: ast.cmpop, left: Value, right: Value) -> Value:
    """`x is None` is known where `x` is None, or cannot be."""
    if right.kind != "none" or left.none:
        return BOOL
    if left.kind == "none":
        return Value("number", dtype="bool", const=isinstance(op, ast.Is))
    if (
        left.kind in ("number", "string", "symbol", "function", "class", "tuple", "list", "dict")
        and left.sure is Sure.PROVEN
    ):
        return Value("number", dtype="bool", const=isinstance(op, ast.IsNot))
    return BOOL


def unary(run: Run, node: ast.UnaryOp, operand: Value) -> Value:
    if isinstance(node.op, ast.Not):
        if operand.kind == "none":
            return Value("number", dtype="bool", const=True)
        if operand.kind == "number" and operand.const is not NO:
            return Value("number", dtype="bool", const=not operand.const)
        return BOOL
    name = _NAMES[node.op.__class__]
    if operand.kind in ("tensor", "tensor_tree"):
        given = tensors.operation(run, node, f"operator.{name}", (operand,))
        is_mask = name == "invert" and given.dtype is None  # of whole numbers hardly anybody flips the bits
        return given.but(dtype="bool", sure=Sure.LIKELY, grad=False) if is_mask else given
    if operand.kind == "number":
        if operand.const is not NO and name == "neg":
            return operand.but(const=-operand.const)
        return operand.but(const=NO)
    return operand if operand.kind == "ndarray" else ANY
