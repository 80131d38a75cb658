"""Subscripts: what `base[index]` gives, for tensors as torch counts dimensions, for containers by their items."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.join import any_item, only
from torchperf_lint.facts.domain.value import ANY, INT, NO, STRING, Value
from torchperf_lint.facts.interpret import containers, numpy_arrays

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run

Form = Literal[
    "integer",
    "slice",
    "new",
    "ellipsis",
    "mask",
    "indices",
    "integers",
    "list",
    "array",
    "arrays",
    "scalar",
    "bool",
    "unknown",
]
"""What one part of a tensor's index is: `0`, `1:`, `None`, `...`, a bool tensor, an integer tensor of one or more
dimensions, one of which the rank is not known, a list or array of the host, a tuple of such arrays, an integer tensor of no
dimensions, True or False."""


def read(run: Run, node: ast.Subscript, base: Value, index: Value) -> Value:
    """The value of `base[index]`."""
    picked = from_mask(base, index)
    if picked is not None:
        return picked
    match base.kind:
        case "tensor" if index.kind == "string":
            # What is looked up by a word is no tensor, but holds some.
            return Value("tensor_tree", Sure.LIKELY, device=base.device, why=base.why, where=base.where)
        case "tensor":
            return tensor_item(run, node, base)
        case "tuple" | "list" | "iterator":
            return containers.as_sure(base, _item(node, base, index))
        case "dict":
            return containers.entry(base, index.const)
        case "size":
            return _size_item(node, base, index)
        case "tensor_tree":
            return containers.leaf(base)
        case "string":
            return STRING
        case "ndarray":
            is_cut = isinstance(node.slice, ast.Slice) or index.ref == numpy_arrays.ARRAY
            return numpy_arrays.of(
                base.dtype, numpy_arrays.ARRAY if is_cut and base.ref == numpy_arrays.ARRAY else None
            )
        case "module":
            if isinstance(node.slice, ast.Slice):
                return base
            return (
                _item(node, base, index)
                if base.items or base.elem
                else Value("module", Sure.LIKELY, device=base.device)
            )
        case "dataset":
            return Value("tensor_tree", Sure.LIKELY, device="cpu", why=base.why, where=base.why)
        case "instance":
            return run.send(base, "__getitem__") or ANY
    return ANY


def from_mask(base: Value, index: Value) -> Value | None:
    """What a mask picks from something of which nothing is known: that is a tensor, and where the mask is."""
    if base.kind != "unknown" or base.device is not None or base.alternatives is not None:
        return None
    parts = index.items if index.kind == "tuple" and isinstance(index.items, tuple) else (index,)
    mask = next((each for each in parts if each.kind == "tensor" and each.dtype == "bool" and each.rank != 0), None)
    if mask is None:
        return None
    return Value("tensor", Sure.LIKELY, device=mask.device, where=mask.where, why=mask.why)


def taken_from(base: Value, index: Value) -> Value:
    """Which of several things an index takes from: of a dict, a list and a tensor, only the tensor takes a mask."""
    is_mask = index.kind == "tensor" and index.dtype == "bool"
    tensor = only(base, "tensor") if is_mask and base.kind == "unknown" else None
    return base if tensor is None else tensor.but(sure=Sure.LIKELY)


def _size_item(node: ast.Subscript, base: Value, index: Value) -> Value:
    if isinstance(node.slice, ast.Slice):
        return Value("size")
    if (
        isinstance(base.items, tuple)
        and isinstance(index.const, int)
        and -len(base.items) <= index.const < len(base.items)
    ):
        return base.items[index.const]
    return INT


def _item(node: ast.Subscript, base: Value, index: Value) -> Value:
    items = base.items
    if isinstance(node.slice, ast.Slice):
        if isinstance(items, tuple) and node.slice.step is None:
            first, last = _literal(node.slice.lower), _literal(node.slice.upper)
            if first is not NO and last is not NO:
                return base.but(items=items[first:last])
        return base.but(items=None, elem=any_item(base))
    if isinstance(items, tuple) and isinstance(index.const, int) and -len(items) <= index.const < len(items):
        return items[index.const]
    if index.kind in ("unknown", "number", "tensor"):
        return any_item(base)
    return ANY


def _literal(bound: ast.expr | None) -> Any:
    """The bound of a slice as it is written; NO for one that is computed."""
    match bound:
        case None:
            return None
        case ast.Constant(value=int(number)):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
            return -number
    return NO


def parts(node: ast.Subscript) -> list[ast.expr]:
    """The parts of an index: `x[a, b]` has two."""
    return list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]


def form(node: ast.expr, value: Value) -> Form:
    """What a part of an index is."""
    if isinstance(node, ast.Slice):
        return "slice"
    if isinstance(node, ast.Constant):
        if node.value is None:
            return "new"
        if node.value is Ellipsis:
            return "ellipsis"
        return "bool" if isinstance(node.value, bool) else "integer"
    match value.kind:
        case "number":
            return "bool" if value.dtype == "bool" else "integer"
        case "none":
            return "new"
        case "tensor":
            if value.dtype == "bool":
                return "mask"
            if value.rank == 0:
                return "scalar"
            if value.dtype is None:
                return "unknown"
            return "indices" if value.rank is not None else "integers"
        case "list":
            return "list"
        case "iterator" if value.elem is not None and value.elem.kind == "number":
            return "list"
        case "ndarray":
            return "array"
        case "tuple" if value.ref == numpy_arrays.PLACES:
            return "arrays"
    return "unknown"


def understood(node: ast.Subscript, look: Callable[[ast.AST], Value]) -> list[tuple[Form, ast.expr, Value]]:
    """The parts of an index, each with its form; a name that holds a tuple stands for its items."""
    found: list[tuple[Form, ast.expr, Value]] = []
    for part in parts(node):
        value = look(part)
        if value.kind == "tuple" and isinstance(value.items, tuple) and not isinstance(part, ast.Slice):
            found += [(form(part, item), part, item) for item in value.items]
        elif value.kind == "tuple" and value.elem is not None and value.elem.kind == "tensor":
            some = value.elem.but(rank=None)  # one for each dimension, of how many nobody knows
            found.append((form(part, some), part, some))
        elif value.kind == "tuple" and value.items is None and isinstance(node.slice, ast.Tuple):
            found.append(("list", part, value))  # beside others, it is for one dimension
        else:
            found.append((form(part, value), part, value))
    return found


def tensor_item(run: Run, node: ast.Subscript, base: Value) -> Value:
    """A part of a tensor: where the base is, of the base's dtype; its rank, if the index is understood."""
    rank = _rank(base, understood(node, run.look))
    return Value(
        "tensor",
        base.sure,
        device=base.device,
        dtype=base.dtype,
        rank=rank,
        grad=base.grad,
        why=base.why,
        where=base.where,
    )


def _rank(base: Value, forms: list[tuple[Form, ast.expr, Value]]) -> int | None:
    """The rank of `base[...]`: slices keep, integers drop, None adds; all tensors and lists together give one block."""
    if base.rank is None:
        return None
    rank = base.rank
    block: int | None = None
    for kind, _, value in forms:
        match kind:
            case "integer":
                rank -= 1
            case "new" | "bool":
                rank += 1
            case "slice" | "ellipsis":
                pass
            case "mask":
                covered = value.rank
                if covered is None:
                    return None
                rank -= covered
                block = max(block or 0, 1)
            case "indices" | "scalar":
                rank -= 1
                block = max(block or 0, value.rank or 0)
            case "list":
                if any_item(value).kind != "number":
                    return None
                rank -= 1
                block = max(block or 0, 1)
            case _:
                return None
    return rank + (block or 0) if rank >= 0 else None


def number(value: Value) -> int | None:
    """The int that a value is known to be."""
    return value.const if value.kind == "number" and value.const is not NO and isinstance(value.const, int) else None
