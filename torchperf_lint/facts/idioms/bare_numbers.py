"""Numbers that are made into tensors where torch would take them as they are, and wait for nothing.

    x[mask] = torch.tensor(0.5, device=x.device)              x[mask] = 0.5
    x.masked_fill(mask, torch.full((), 0.5).cuda())           x.masked_fill(mask, 0.5)
    torch.where(mask, x, torch.tensor(0.0).to(x))             torch.where(mask, x, 0.0)

The value of a write under a mask must be a number of Python: with one that lies on the GPU, be it of no dimensions, the
mask is turned into indices, and the host waits for those.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import masked
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.facts.knowledge import moves

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

_OF_NUMBER: Final = frozenset(("torch.tensor", "torch.as_tensor", "torch.scalar_tensor"))
_FILLS: Final = frozenset(("masked_fill", "masked_fill_"))


def of(analysis: Analysis, module: Module, node: ast.expr) -> ast.expr | None:
    """The number that can stand in the place of a tensor which is made of it; None if there is none, or it cannot."""
    if not _takes_number(analysis, module, node):
        return None
    number = _made_of(module, node)
    return number if number is not None and analysis.value(number, module).kind == "number" else None


def _made_of(module: Module, node: ast.expr) -> ast.expr | None:
    """What the data of a tensor are, if it is made of one thing."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Call() as inner, attr=attr)) if attr in moves.TO_GPU:
            return _made_of(module, inner)
        case ast.Call(func=ast.Attribute(attr="new_tensor"), args=[data]):
            return data
        case ast.Call(func=func, args=[ast.Tuple(elts=[]) | ast.List(elts=[]), data]):
            return data if names.dotted(module.function_of(node), func) == "torch.full" else None
        case ast.Call(func=func, args=[data]):
            return data if names.dotted(module.function_of(node), func) in _OF_NUMBER else None
    return None


def _takes_number(analysis: Analysis, module: Module, node: ast.expr) -> bool:
    """Whether torch takes a number of Python at a place."""
    match module.parents.get(node):
        case ast.Assign(targets=[ast.Subscript() as target], value=value) if value is node:
            return masked.only_mask(analysis, module, target) is not None
        case ast.Call(func=func, args=[*_, last]) as call if last is node and last_name(func) in _FILLS:
            return len(call.args) > 1
        case ast.Call(func=func, args=[_, first, second]) if node in (first, second):
            return names.dotted(module.function_of(node), func) == "torch.where"
    return False
