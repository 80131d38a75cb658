"""The largest of absolute values, for which a tensor of them is made: one pass of a norm finds it, where no gradient is taken.

x.abs().max()                        torch.linalg.vector_norm(x, float("inf"))
x.abs().amax(dim=-1)                 torch.linalg.vector_norm(x, float("inf"), dim=-1)
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import modes
from torchperf_lint.facts.domain.value import FLOATING
from torchperf_lint.rules.fusion.dearer_op_than_needed import operation
from torchperf_lint.rules.fusion.dearer_op_than_needed.operation import Form

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_ABSOLUTE: Final = ("abs", "absolute")


def largest_by_hand(facts: Facts, node: ast.AST) -> Form | None:
    """The largest of all absolute values, or of those along dimensions; `max` along one also says where it stands."""
    largest = operation.of(facts.module, node)
    if largest is None or (largest.name == "max" and (largest.rest or largest.named)):
        return None
    if largest.name not in ("max", "amax") or set(largest.named) - {"dim", "keepdim"}:
        return None
    made = operation.of(facts.module, operation.made(facts, largest.tensor))
    if made is None or made.name not in _ABSOLUTE or made.rest or made.named:
        return None
    tensor = made.tensor
    value = facts.analysis.value(tensor, facts.module)
    if value.rank == 0 or value.dtype not in (None, *FLOATING):
        return None
    if modes.no_grad(facts.analysis, facts.module, node).value is not True:
        return None  # with the backward pass the norm takes longer
    said = "absolute values are written for the largest of them: `torch.linalg.vector_norm` only reads"
    settings = f", {largest.settings}" if largest.settings else ""
    cure = f'torch.linalg.vector_norm({ast.unparse(tensor)}, float("inf"){settings})'
    is_inline = made.call is largest.tensor  # by a name, the tensor may be bound anew in between
    is_taken = is_inline and "torch" in facts.module.names
    return Form(largest.call, said, cure if is_taken else None, tensor, since=operation.VECTOR_NORM_SINCE)
