"""Tensors that are copied to the host whole, of which nothing but one number is wanted.

x.cpu().mean()                      x.mean().cpu()
hits.cpu().float().sum()            hits.sum().cpu()
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.index.walk import last_name, walk
from torchperf_lint.rules.fusion.dearer_op_than_needed import operation
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

REDUCING: Final = ("mean", "sum", "max", "min", "any", "all", "std", "var", "norm")
_PASSING: Final = ("float", "double", "long", "int", "bool", "detach", "flatten", "contiguous", "numpy")
"""Methods that leave every element where it is."""
_SHOWN: Final = 3
"""So many dimensions must be seen of a tensor: the hits of a batch are a short one, of which a copy takes no longer than one number."""


def may_be_reduced(node: ast.AST) -> bool:
    """Whether a call reduces all of a copy on the host, by its look."""
    return isinstance(node, ast.Call) and not node.args and not node.keywords and _copied(node) is not None


def reduced_on_host(facts: Facts, node: ast.AST) -> Form | None:
    """One number that is worked out of a copy on the host."""
    copied = _copied(node) if may_be_reduced(node) else None
    if copied is None or not isinstance(node, ast.Call):
        return None
    name, tensor = last_name(node.func), copied[0]
    parts = (each for each in walk(tensor) if isinstance(each, (ast.Name, ast.Attribute)))
    if any(value_names.is_loss(last_name(each)) for each in parts):
        return None
    if facts.analysis.value(tensor, facts.module).rank == 0:  # it is one number already
        return None
    said = f"the whole tensor is copied to the host for its `{name}`: take that on the GPU, and copy one number"
    cure = f"{operation.operand(tensor)}.{name}().cpu()" if copied[1] else None
    return Form(node, said, cure, tensor, _SHOWN)


def _copied(node: ast.AST) -> tuple[ast.expr, bool] | None:
    """What was copied to the host to be reduced there, and whether nothing was done on the way: `x` of `x.cpu().float().sum()`."""
    is_direct = True
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Call() as at, attr=name)) if name in REDUCING:
            pass
        case _:
            return None
    while True:
        match at:
            case ast.Call(func=ast.Attribute(value=tensor, attr="cpu"), args=[], keywords=[]):
                return tensor, is_direct
            case ast.Call(func=ast.Attribute(value=tensor, attr="to"), args=[ast.Constant(value="cpu")], keywords=[]):
                return tensor, is_direct
            case ast.Call(func=ast.Attribute(value=ast.Call() as inner, attr=name), args=[]) if name in _PASSING:
                at, is_direct = inner, False
            case _:
                return None
