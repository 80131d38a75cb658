"""Casts around a move; and tensors that are no data, but computed on the spot from ranges and constants: `torch.arange(n) % 2 == 0`.

Knows which functions of torch make something of nothing, and what is a number.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import receiver

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.interpret.analysis import Analysis

_CASTING: Final = frozenset(("float", "double", "half", "bfloat16", "long", "int", "to", "div", "mul"))
_MAKING: Final = frozenset(("arange", "linspace", "zeros", "ones", "full", "eye", "tril_indices", "triu_indices"))


def may_be_recast(facts: Facts, node: ast.AST) -> bool:
    """Whether a call may move a tensor of the host, and something before, in or behind the call may cast it."""
    held = facts.receiver_at(node)
    if not isinstance(node, ast.Call) or held.kind not in ("tensor", "tensor_tree") or not held.on_host:
        return False
    match receiver(node):
        case ast.BinOp():
            return True
        case ast.Call(func=ast.Attribute(attr=name)) if name in _CASTING:
            return True
    has_more = len(node.args) + len(node.keywords) > 1 or isinstance(facts.module.parents.get(node), ast.Attribute)
    return has_more and held.dtype is not None


def is_computed(facts: Facts, node: ast.AST) -> bool:
    """Whether a tensor is made of nothing but ranges and constants."""
    return _is_computed(facts.analysis, facts.module, node)


def _is_computed(analysis: Analysis, module: Module, node: ast.AST) -> bool:
    match node:
        case ast.Call(func=func) if _makes(names.dotted(module.function_of(node), func) or ""):
            return True
        case (
            ast.Call(func=ast.Attribute(value=inner))
            | ast.Subscript(value=inner)
            | ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert() | ast.Not(), operand=inner)
        ):
            return _is_computed(analysis, module, inner)
        case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right]):
            sides = [each for each in (left, right) if analysis.value(each, module).kind not in ("number", "unknown")]
            return bool(sides) and all(_is_computed(analysis, module, each) for each in sides)
    return False


def _makes(name: str) -> bool:
    return name.removeprefix("torch.") in _MAKING
