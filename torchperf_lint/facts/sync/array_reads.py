"""Which NumPy values are arrays for certain, and not one number of an array.

`a[0]`, `a.max()`, `np.random.randint(9)` and the items of a loop over an array may be numbers of NumPy, which index a
tensor as a Python number does. Knows syntax and names; the values of tensors for `.numpy()`.
"""

from __future__ import annotations

import ast
from itertools import islice
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.value import FLOATING
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.interpret import classes, numpy_arrays
from torchperf_lint.facts.knowledge import numpy_functions

if TYPE_CHECKING:
    from torchperf_lint.facts.sync.host_wait import Scene

_DEEP: Final = 4
_MANY: Final = 5
"""Of a name that so many places bind nothing is said."""


def may_index(scene: Scene, node: ast.expr) -> bool:
    """Whether an expression is an array that torch takes as an index: one of floats it refuses."""
    value = scene.look(node)
    if value.ref == numpy_arrays.ARRAY and value.dtype in FLOATING:
        return False
    is_one = value.ref == numpy_arrays.ARRAY or is_array(scene, node)
    return is_one and not _is_of_floats(scene, node, _DEEP)


def _is_of_floats(scene: Scene, node: ast.expr, depth: int) -> bool:
    match node:
        case ast.Name() if depth:
            binding = definitions.reaching(scene.module, node)
            bound = definitions.value_of(scene.module, binding) if binding is not None else None
            return isinstance(bound, ast.expr) and _is_of_floats(scene, bound, depth - 1)
        case ast.Attribute(value=ast.Name()) if depth:
            return any(each is not None and _is_of_floats(scene, each, depth - 1) for each in _kept(scene, node))
        case ast.Call(func=func, args=args, keywords=keywords) if depth:
            name = (names.dotted(scene.module.function_of(node), func) or "").removeprefix("numpy.")
            if name in ("outer", "multiply"):
                return any(_is_of_floats(scene, each, depth - 1) for each in args)
            row = numpy_functions.function(name)
            if row is None or row.dtype != "float64":
                return False
            is_placed = row.dtype_at is not None and len(args) > row.dtype_at
            return not is_placed and all(keyword.arg != "dtype" for keyword in keywords)
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
            every = [binding] if binding is not None else list(islice(definitions.may_reach(scene.module, node), _MANY))
            bound = [definitions.value_of(scene.module, each) for each in every]
            return 0 < len(bound) < _MANY and all(
                is_array(scene, value, depth - 1) if value is not None else _is_of_places(scene, each)
                for each, value in zip(every, bound, strict=True)
            )
        case ast.Attribute(value=ast.Name()):
            kept = _kept(scene, node)
            return bool(kept) and all(each is not None and is_array(scene, each, depth - 1) for each in kept)
        case ast.BinOp(left=left, right=right):
            return is_array(scene, left, depth - 1) or is_array(scene, right, depth - 1)
        case ast.Subscript(value=base, slice=ast.Slice()):
            return is_array(scene, base, depth - 1)
        case ast.Subscript(value=base):
            return bool(scene.look(base).ref == numpy_arrays.PLACES)
        case ast.Call():
            return _is_made(scene, node, depth)
    return False


def _is_of_places(scene: Scene, binding: ast.AST) -> bool:
    """`rows, columns = np.tril_indices(3)`: whether a name is one of the places in an array, an array for each dimension."""
    above = scene.module.parents.get(binding)
    match scene.module.parents.get(above) if isinstance(above, ast.Tuple) else None:
        case ast.Assign(value=value):
            return bool(scene.look(value).ref == numpy_arrays.PLACES)
    return False


def _kept(scene: Scene, node: ast.Attribute) -> list[ast.expr | None]:
    """What the methods of a class bind `self.x` to where one of them reads it; None for what is no plain assignment."""
    method = scene.module.function_of(node).method
    if method is None or method.owner is None or not method.positional:
        return []
    if not isinstance(node.value, ast.Name) or node.value.id != method.positional[0]:
        return []
    sites = classes.sites(method.owner).get(node.attr, ())
    return [definitions.value_of(function.module, site) for function, site in sites]


def _is_made(scene: Scene, call: ast.Call, depth: int) -> bool:
    name = names.dotted(scene.module.function_of(call), call.func) or ""
    if name.startswith("numpy."):
        row = numpy_functions.function(name.removeprefix("numpy."))
        if row is None or row.gives != "drawn":
            return row is not None and row.gives == "array"
        return len(call.args) > row.unless or any(each.arg == "size" for each in call.keywords)
    if not isinstance(call.func, ast.Attribute):
        return False
    if call.func.attr == "numpy":
        return scene.look(call.func.value).rank != 0
    return numpy_functions.keeps_array(call.func.attr) and is_array(scene, call.func.value, depth - 1)
