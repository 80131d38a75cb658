"""How many bytes a call of torch makes out of nothing, where the source shows the sizes, and whether they may be many.

torch.randn(64, 1024)       262144 bytes
torch.arange(n)             not known, unless `n` is; hardly many
torch.zeros(b, n, dim)      not known; may be many
"""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.guesses import count_names, value_names
from torchperf_lint.facts.idioms import sizes
from torchperf_lint.facts.index import definitions
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.interpret.analysis import Analysis

_SHAPED: Final = frozenset(("zeros", "ones", "empty", "rand", "randn"))
"""Their sizes are all their arguments, or one that holds them."""
_COUNTED: Final = frozenset(("randperm", "hann_window", "hamming_window", "blackman_window", "bartlett_window"))
_BYTES: Final = {
    "bool": 1, "uint8": 1, "int8": 1, "int16": 2, "float16": 2, "bfloat16": 2, "int32": 4, "float32": 4, "int64": 8, "float64": 8,
    "complex64": 8, "complex128": 16,
}  # fmt: skip


MANY: Final = 1 << 18
"""So many bytes at least take the host longer to fill and to copy than the call that asks for them."""
USUAL: Final = 64
"""What stands for a size that nobody knows: three of them make many, a mask for each position of a batch does not."""
INFERRED: Final = 16
"""The same in code that only infers, whose batches are small."""
_LEFT_OVER: Final = 8
"""What stands for what is left over of a division, or missing to a length: `n % stride`, `longest - n`."""
_PICTURES: Final = 4
"""What stands for the first of four sizes or more: batches of pictures, of maps and of volumes are small."""
_FLAT: Final = 2
"""The rank of what has a row of numbers for each item: too few."""
_USUAL_WIDTH: Final = 4
_SHAPES: Final = frozenset(("size", "tuple", "list"))
"""Kinds of values that are a whole shape."""


def made(analysis: Analysis, module: Module, call: ast.Call) -> int | None:
    """The bytes of the tensor that a factory makes; None where the source does not show how many."""
    width = _BYTES.get(analysis.value(call, module).dtype or "")
    shape = _shape(call)
    if width is None or shape is None:
        return None
    found = [sizes.size(analysis, module, each) for each in shape]
    return width * math.prod(each.value for each in found) if all(each.proven for each in found) else None


def is_nothing(_: Facts, call: ast.AST) -> bool:
    """Whether a factory makes a tensor without elements, of which nothing is copied: `torch.zeros(1, 0, width)`."""
    shape = _shape(call) if isinstance(call, ast.Call) else None
    return any(isinstance(each, ast.Constant) and each.value == 0 for each in shape or ())


def may_be_many(analysis: Analysis, module: Module, call: ast.Call, usual: int) -> bool:
    """Whether a factory may make as much as costs something to make on the host: a row of numbers is never that much."""
    shape = _shape(call)
    if shape is None:
        return any(isinstance(each, ast.Starred) and not _is_cut(each.value) for each in call.args)
    if len(shape) == 1 and isinstance(shape[0], ast.Name):
        shape = _listed(definitions.definition(module, shape[0]) or shape[0])
    if len(shape) == 1 and analysis.value(shape[0], module).kind in _SHAPES:
        return not _is_cut(shape[0]) and not _is_of_rows(analysis, module, shape[0])
    found = [sizes.size(analysis, module, each).value for each in shape]
    width = _BYTES.get(analysis.value(call, module).dtype or "", _USUAL_WIDTH)
    assumed = [_LEFT_OVER if _is_left_over(module, each) else usual for each in shape]
    if len(shape) > _FLAT + 1:
        assumed[0] = min(assumed[0], _PICTURES)
    return (
        width * math.prod(one if isinstance(one, int) else other for one, other in zip(found, assumed, strict=True))
        >= MANY
    )


def _is_left_over(module: Module, size: ast.expr) -> bool:
    """Whether a size is what is left over of a division, or missing to a length, or is bound to that anywhere."""
    bound: list[ast.AST | None] = [size]
    if isinstance(size, ast.Name):
        stores = module.function_of(size).scope.stores.get(size.id, ())
        bound = [getattr(module.parents.get(store), "value", None) for store in stores]
    is_padding = not isinstance(size, ast.Name) or count_names.is_of_padding(size.id)
    return any(
        isinstance(each, ast.BinOp) and (isinstance(each.op, ast.Mod) or (is_padding and _is_missing(each)))
        for each in bound
    )


def _is_missing(size: ast.BinOp) -> bool:
    """`longest - n`, but not `n - 1`."""
    return isinstance(size.op, ast.Sub) and not isinstance(size.right, ast.Constant)


def _is_of_rows(analysis: Analysis, module: Module, shape: ast.expr) -> bool:
    """Whether a shape is that of a tensor with a row of numbers for each item: `logits.shape`."""
    match shape:
        case ast.Attribute(value=held, attr="shape") | ast.Call(func=ast.Attribute(value=held, attr="size"), args=[]):
            rank = analysis.value(held, module).rank
            return value_names.is_of_rows(last_name(held)) if rank is None else rank <= _FLAT
    return False


def _shape(call: ast.Call) -> list[ast.expr] | None:
    """The sizes that a factory is given, one for each dimension."""
    if any(isinstance(each, ast.Starred) for each in call.args):
        return None
    name, named = last_name(call.func), {each.arg: each.value for each in call.keywords}
    match name, call.args:
        case _, [] if "size" in named:
            return _listed(named["size"])
        case _, [first] if name in _SHAPED:
            return _listed(first)
        case _, [_, *_] if name in _SHAPED:
            return call.args
        case "full" | "randint", [first, *_] if name == "full" or (len(call.args) > 1 and "size" not in named):
            return _listed(first if name == "full" else call.args[-1])
        case "eye", [rows, *columns]:
            return [rows, columns[0] if columns else rows]
        case "arange", [end]:
            return [end]
        case _, [count, *_] if name in _COUNTED:
            return [count]
    return None


def _is_cut(shape: ast.expr) -> bool:
    """`x.shape[:-1]`: a number for each row of something, as in a mask."""
    return isinstance(shape, ast.Subscript) and isinstance(shape.slice, ast.Slice) and shape.slice.upper is not None


def _listed(shape: ast.expr) -> list[ast.expr]:
    """What a shape holds: `(2, 3)` two sizes, `n` one."""
    return shape.elts if isinstance(shape, (ast.Tuple, ast.List)) else [shape]


def written(size: int) -> str:
    """A number of bytes, as people write it."""
    for unit, least in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= least:
            return f"{size / least:.3g} {unit}"
    return f"{size} bytes"
