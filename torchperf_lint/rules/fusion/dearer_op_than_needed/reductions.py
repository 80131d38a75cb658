"""Reductions of which each passes over what the one before left, where one goes over all dimensions.

x.mean(3).mean(2)                    x.mean((2, 3))
x.sum(-1).sum(-1)                    x.sum((-2, -1))
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.rules.fusion.dearer_op_than_needed import operation
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form, Operation

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

REDUCING: Final = ("mean", "sum")
_SHOWN: Final = 3
"""So many dimensions a tensor of which two are taken together has as a rule; of a smaller one no more than a launch is saved."""


def reduced_twice(facts: Facts, node: ast.AST) -> Form | None:
    """A mean of means, or a sum of sums, of two dimensions of one tensor."""
    last = operation.of(facts.module, node)
    first = operation.of(facts.module, operation.made(facts, last.tensor)) if last is not None else None
    if last is None or first is None or last.name not in REDUCING or first.name != last.name:
        return None
    settings = [_settings(facts, each) for each in (first, last)]
    if settings[0] is None or settings[1] is None or settings[0][1] != settings[1][1]:
        return None
    (inner, keep), (outer, _) = settings[0], settings[1]
    dims = _together(inner, outer, is_kept=keep)
    if dims is None:
        return None
    shown = ", keepdim=True" if keep else ""
    said = f"two passes take the {last.name} of one dimension each: `{last.name}` takes that of both in one"
    is_inline = first.call is last.tensor  # by a name, what is reduced may be bound anew in between
    cure = f"{operation.operand(first.tensor)}.{last.name}({dims}{shown})" if is_inline else None
    least = 0 if min(dims) <= -_SHOWN or max(dims) >= _SHOWN - 1 else _SHOWN
    return Form(last.call, said, cure, first.tensor, least, needs_many=True)


def _settings(facts: Facts, found: Operation) -> tuple[int, bool] | None:
    """The one dimension of a reduction, and whether it is kept; None where it is told more than that."""
    dim, keep = operation.number(facts, found.given("dim", 0)), found.given("keepdim", 1)
    if set(found.named) - {"dim", "keepdim"} or len(found.rest) > 2 or not isinstance(dim, int):
        return None
    match keep:
        case None | ast.Constant(value=False):
            return dim, False
        case ast.Constant(value=True):
            return dim, True
    return None


def _together(inner: int, outer: int, *, is_kept: bool) -> tuple[int, int] | None:
    """Both dimensions as the tensor counts them; None where that hangs on how many it has."""
    if (inner < 0) != (outer < 0):
        return None
    if not is_kept and inner >= 0 and outer >= inner:  # those behind a dimension move up when it goes
        outer += 1
    if not is_kept and inner < 0 and outer <= inner:  # counted from the end, those before it do
        outer -= 1
    return (min(inner, outer), max(inner, outer)) if inner != outer else None
