"""What the forms of dear operations are made of."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import operations
from torchperf_lint.facts.idioms.operations import Operation, of, operand, same

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

__all__ = [
    "VECTOR_NORM_SINCE",
    "Form",
    "Operation",
    "are_of_one_dtype",
    "is_last",
    "is_whole",
    "made",
    "number",
    "of",
    "operand",
    "same",
]


VECTOR_NORM_SINCE: Final = (1, 9)


@dataclass(frozen=True, slots=True)
class Form:
    """A dear way, and the cheaper one."""

    whole: ast.expr | ast.stmt
    """What is replaced."""
    said: str
    cure: str | None
    """What stands there instead; None: it is only told."""
    of: ast.expr
    """The tensor that it is about."""
    least_rank: int = 0
    """The number of dimensions that the tensor must be known to have: of a small one no more than a launch is saved."""
    is_exact: bool = False
    """Whether the cheaper way gives the very same bits, and the same gradients."""
    needs_many: bool = False
    """Whether one saves so little that a step must be seen to have many of it."""
    since: tuple[int, int] = (0, 0)
    """The torch that has the cheaper way."""


def made(facts: Facts, node: ast.expr) -> ast.expr:
    """What an expression is, with a name that is read here alone followed to what it is bound to."""
    return operations.made(facts.module, node)


def are_of_one_dtype(facts: Facts, nodes: list[ast.expr]) -> bool:
    """Whether tensors are known to have one floating dtype."""
    return operations.are_of_one_dtype(facts.analysis, facts.module, nodes)


def number(facts: Facts, node: ast.expr | None) -> int | float | None:
    """The number that an expression is known to be."""
    return operations.number(facts.analysis, facts.module, node)


def is_last(facts: Facts, dim: ast.expr | None) -> bool:
    """Whether a dimension is the last, as far as it says."""
    return dim is None or number(facts, dim) == -1


def is_whole(index: ast.expr) -> bool:
    """Whether an index leaves dimensions as they are: `:` and `...`."""
    if isinstance(index, ast.Slice):
        return index.lower is index.upper is index.step is None
    return isinstance(index, ast.Constant) and index.value is ...
