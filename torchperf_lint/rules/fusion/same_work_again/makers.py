"""Functions that make tensors of settings and sizes and do nothing else: anchors, masks, grids, tables of positions.

    def grid(height, width, device):                     the same for each size
    def _mask(self): ... torch.zeros(self.length)        the same at each call, where `__init__` alone sets `length`

Knows syntax, and what works out a tensor and does nothing else; any call of which that is not known is taken for a reason.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.index.module import Module

MAKING: Final = frozenset(
    ("arange", "linspace", "logspace", "ones", "zeros", "full", "eye", "hann_window", "hamming_window", "fftfreq")
)
DRAWING: Final = frozenset(
    ("rand", "randn", "randint", "randperm", "bernoulli", "multinomial", "normal", "dropout", "rand_like", "randn_like",
     "uniform", "choice", "shuffle", "permutation", "random", "sample")
)  # fmt: skip
_OF_PYTHON: Final = frozenset(
    ("range", "len", "int", "float", "max", "min", "list", "tuple", "zip", "enumerate", "abs", "round", "sum", "isinstance",
     "reversed", "sorted", "bool", "pow", "append", "extend", "map")
)  # fmt: skip
_OF_LISTED: Final = 3
"""A list becomes a tensor element by element: so many operations."""
_LISTED: Final = frozenset(("append", "extend"))
_HOMES: Final = ("torch.", "numpy.")
_LOOKED_AT: Final = frozenset(("shape", "device", "dtype", "ndim"))
_ASKED: Final = frozenset(("size", "dim", "get_device"))
_LEFT: Final = (
    ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await, ast.Lambda, ast.Try, ast.Delete, ast.ClassDef,
    ast.AsyncFunctionDef, ast.NamedExpr,
)  # fmt: skip
_PLAIN: Final = frozenset(("staticmethod", "no_grad"))


@once
def operations(_: Module, function: Function) -> tuple[int, bool] | None:
    """How many operations a function gives its result with, and whether it makes tensors; None if it may do anything else."""
    node = function.node
    if not isinstance(node, ast.FunctionDef) or any(_decorator(each) not in _PLAIN for each in node.decorator_list):
        return None
    count, makes = 0, False
    for each in (inner for statement in node.body for inner in walk(statement)):
        if isinstance(each, (*_LEFT, ast.FunctionDef)) or _keeps(function, each):
            return None
        if isinstance(each, ast.Call):
            taken = _taken(function, each)
            if taken is None:
                return None
            count, makes = count + taken[0], makes or taken[1]
    returns = [each for each in walk(node) if isinstance(each, ast.Return)]
    return (count, makes) if returns and all(each.value is not None for each in returns) else None


def _decorator(node: ast.expr) -> str:
    return last_name(node.func if isinstance(node, ast.Call) else node)


def _keeps(function: Function, node: ast.AST) -> bool:
    """Whether a node writes into something that is not the function's own."""
    if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
        root: ast.expr = node
        while isinstance(root, (ast.Attribute, ast.Subscript)):
            root = root.value
        is_own = isinstance(root, ast.Name) and root.id in function.scope.stores and root.id not in function.parameters
        return isinstance(node, ast.Attribute) or not is_own
    return False


def _taken(function: Function, call: ast.Call) -> tuple[int, bool] | None:
    """How many operations a call is, and whether it makes a tensor; None if it may do anything else."""
    name, dotted = last_name(call.func), names.dotted(function, call.func)
    if name in DRAWING or any(each.arg in ("out", None) for each in call.keywords):
        return None
    if dotted is None and isinstance(call.func, ast.Attribute):
        if name in _LISTED or name in _ASKED or name == "numpy":
            return 0, False
        effect = knowledge.effect(name, method=True)
        return None if effect is None else (int(effect.view is False), False)
    if dotted is not None and dotted.startswith("math."):
        return 0, False
    if dotted is not None and dotted.startswith(_HOMES):
        is_array = dotted.startswith("numpy.")
        if not is_array and knowledge.effect(dotted, method=False) is None:
            return None
        is_listed = name in ("tensor", "array")  # from what Python has, element by element
        return (_OF_LISTED if is_listed else 1), name in MAKING or is_array or is_listed
    return (0, False) if isinstance(call.func, ast.Name) and name in _OF_PYTHON else None


@once
def looked_at(module: Module, function: Function) -> frozenset[str]:
    """The parameters of which a function reads no more than sizes, the device and the type."""
    return frozenset(
        name
        for name in function.parameters
        if all(_is_looked_at(module, read) for read in function.scope.loads.get(name, ()))
        and name not in function.inner_reads
    )


def _is_looked_at(module: Module, read: ast.expr) -> bool:
    at: ast.AST = read
    above = module.parents.get(at)
    while isinstance(above, ast.Subscript) and above.value is at:
        at, above = above, module.parents.get(above)
    match above:
        case ast.Attribute(attr=name):
            return name in _LOOKED_AT or name in _ASKED
        case ast.Call(func=ast.Name(id="len")) | ast.Compare(ops=[ast.Is() | ast.IsNot()]):
            return True
    return False
