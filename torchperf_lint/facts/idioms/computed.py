"""Tensors that are no data, but computed on the spot from ranges and constants: `torch.arange(n) % 2 == 0`.

Knows which functions of torch make something of nothing, and what is a number.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_MAKING: Final = frozenset(("arange", "linspace", "zeros", "ones", "full", "eye", "tril_indices", "triu_indices"))


def is_computed(analysis: Analysis, module: Module, node: ast.expr) -> bool:
    """Whether a tensor is made of nothing but ranges and constants."""
    match node:
        case ast.Call(func=func) if _makes(names.dotted(module.function_of(node), func) or ""):
            return True
        case (
            ast.Call(func=ast.Attribute(value=inner))
            | ast.Subscript(value=inner)
            | ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert() | ast.Not(), operand=inner)
        ):
            return is_computed(analysis, module, inner)
        case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right]):
            sides = [each for each in (left, right) if analysis.value(each, module).kind not in ("number", "unknown")]
            return bool(sides) and all(is_computed(analysis, module, each) for each in sides)
    return False


def _makes(name: str) -> bool:
    return name.removeprefix("torch.") in _MAKING
