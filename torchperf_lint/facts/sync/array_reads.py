"""Which NumPy values are arrays for certain, and not one number of an array.

`a[0]`, `a.max()`, `np.random.randint(9)` and the items of a loop over an array may be numbers of NumPy, which index a
tensor as a Python number does. Knows syntax and names; the values of tensors for `.numpy()`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import definitions
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import last_name

if TYPE_CHECKING:
    from torchperf_lint.facts.sync.host_wait import Scene

_MAKE: Final = frozenset(
    (
        "arange", "array", "asarray", "argsort", "sort", "where", "nonzero", "flatnonzero", "concatenate", "stack", "hstack",
        "vstack", "zeros", "ones", "full", "linspace", "permutation", "unique", "outer", "pad", "repeat", "tile", "roll",
        "triu_indices", "tril_indices", "random.permutation", "argpartition", "flip",
    )
)  # fmt: skip
_DRAW: Final = {"randint": 2, "choice": 1, "rand": 0, "randn": 0, "integers": 2, "uniform": 2, "normal": 2}
"""Functions that draw one number unless a size is given, and which of the arguments that is."""

_KEEP: Final = frozenset(("astype", "flatten", "ravel", "reshape", "copy", "squeeze", "clip", "round", "transpose"))
_DEEP: Final = 4

_FLOATS: Final = frozenset(("ones", "zeros", "empty", "linspace", "rand", "randn", "uniform", "normal"))
"""Functions that make floats unless a dtype is given."""


def may_index(scene: Scene, node: ast.expr) -> bool:
    """Whether an expression is an array that torch takes as an index: one of floats it refuses."""
    return is_array(scene, node) and not _is_of_floats(scene, node, _DEEP)


def _is_of_floats(scene: Scene, node: ast.expr, depth: int) -> bool:
    match node:
        case ast.Name() if depth:
            binding = definitions.reaching(scene.module, node)
            bound = definitions.value_of(scene.module, binding) if binding is not None else None
            return isinstance(bound, ast.expr) and _is_of_floats(scene, bound, depth - 1)
        case ast.Call(func=func, args=args, keywords=keywords) if depth:
            name = (names.dotted(scene.module.function_of(node), func) or "").removeprefix("numpy.")
            if name in ("outer", "multiply"):
                return any(_is_of_floats(scene, each, depth - 1) for each in args)
            is_typed = len(args) > 1 or any(keyword.arg == "dtype" for keyword in keywords)
            return name.removeprefix("random.") in _FLOATS and (name == "linspace" or not is_typed)
    return False


def is_array(scene: Scene, node: ast.expr, depth: int = _DEEP) -> bool:
    """Whether an expression that is a NumPy value is an array of one or more dimensions."""
    if depth == 0:
        return False
    match node:
        case ast.Name():
            binding = definitions.reaching(scene.module, node)
            if isinstance(binding, ast.arg):
                return binding.annotation is not None
            bound = definitions.value_of(scene.module, binding) if binding is not None else None
            return isinstance(bound, ast.expr) and is_array(scene, bound, depth - 1)
        case ast.BinOp(left=left, right=right):
            return is_array(scene, left, depth - 1) or is_array(scene, right, depth - 1)
        case ast.Subscript(value=base, slice=ast.Slice()):
            return is_array(scene, base, depth - 1)
        case ast.Call():
            return _is_made(scene, node, depth)
    return False


def _is_made(scene: Scene, call: ast.Call, depth: int) -> bool:
    name = last_name(call.func)
    if (names.dotted(scene.module.function_of(call), call.func) or "").startswith("numpy."):
        sized = name in _DRAW and (len(call.args) > _DRAW[name] or any(each.arg == "size" for each in call.keywords))
        return name in _MAKE or sized
    if not isinstance(call.func, ast.Attribute):
        return False
    if name == "numpy":
        return scene.look(call.func.value).rank != 0
    return name in _KEEP and is_array(scene, call.func.value, depth - 1)
