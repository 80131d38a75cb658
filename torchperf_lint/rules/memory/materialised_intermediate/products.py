"""Products of matrices that are written as a product of all elements and a sum.

(a.unsqueeze(-2) * b.unsqueeze(-3)).sum(-1)      a @ b.mT: the products of all pairs of rows are made, and summed

A sum of rows with weights, `(w.unsqueeze(-1) * x).sum(-2)`, is one too, but gained nothing in training on an H200: it is left.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.value import FLOATING
from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.idioms import operations
from torchperf_lint.facts.index.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.idioms.operations import Operation

_PAIRS: Final = {(-2, -3): (None, (-1,)), (1, 0): (2, (2, -1)), (2, 1): (3, (3, -1))}
"""Where two factors have their new dimension: of how many they are before (None: of however many), and what is summed."""


@dataclass(frozen=True, slots=True)
class Product:
    """A product of matrices: what stands for it, as text, and its factors."""

    cure: str
    factors: tuple[ast.expr, ast.expr]

    @property
    def of(self) -> ast.expr:
        return self.factors[0]


@dataclass(frozen=True, slots=True)
class _Factor:
    of: ast.expr
    at: int | None
    """Where it has a dimension of one element that was just made, if it has."""


def summed(facts: Facts, total: Operation) -> Product | None:
    """The product of matrices that a sum over a product of elements is."""
    along = operations.number(facts.analysis, facts.module, total.given("dim", 0))
    if not isinstance(along, int) or total.given("keepdim", 1) is not None or set(total.named) - {"dim"}:
        return None
    match operations.made(facts.module, total.tensor):
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            one, other = _factor(left), _factor(right)
        case ast.Call() as call:
            found = operations.of(facts.module, call)
            if found is None or found.name != "mul" or len(found.rest) != 1 or found.named:
                return None
            one, other = _factor(found.tensor), _factor(found.rest[0])
        case _:
            return None
    if not all(_may_be_factor(facts, each) for each in (one, other)):
        return None
    return _of_pairs(facts, one, other, along)


def _may_be_factor(facts: Facts, factor: _Factor) -> bool:
    """Whether a factor may be one of a product of matrices: those of whole numbers and of bits have none on a GPU."""
    value = facts.analysis.value(factor.of, facts.module)
    if value.dtype is None and any(value_names.is_mask(each) for each in _names(factor.of)):
        return False
    return value.kind == "tensor" and value.dtype in (None, *FLOATING)


def _names(node: ast.expr) -> Iterator[str]:
    for each in walk(node):
        if isinstance(each, (ast.Name, ast.Attribute)):
            yield each.id if isinstance(each, ast.Name) else each.attr


def _of_pairs(facts: Facts, one: _Factor, other: _Factor, along: int) -> Product | None:
    """The products of all pairs of rows."""
    if one.at is None or other.at is None:
        return None
    rows, columns = (one, other) if abs(one.at) in (1, 2) and (one.at, other.at) in _PAIRS else (other, one)
    rank, summed_along = _PAIRS.get((rows.at or 0, columns.at or 0), (None, ()))
    known = {facts.analysis.value(each.of, facts.module).rank for each in (one, other)} - {None}
    if along not in summed_along or (rank is not None and known - {rank}):
        return None
    return Product(
        f"matmul({ast.unparse(rows.of)}, {operations.operand(columns.of)}.transpose(-2, -1))", (rows.of, columns.of)
    )


def _factor(node: ast.expr) -> _Factor:
    """A factor, and where it has just got a new dimension: `x.unsqueeze(1)`, `x[:, None]`, `x[..., None]`."""
    match node:
        case ast.Call(func=ast.Attribute(value=of, attr="unsqueeze"), args=[at], keywords=[]):
            return _Factor(of, _written(at)) if _written(at) is not None else _Factor(node, None)
        case ast.Subscript(value=of, slice=ast.Constant(value=None)):
            return _Factor(of, 0)
        case ast.Subscript(value=of, slice=ast.Tuple(elts=parts)):
            new = [number for number, each in enumerate(parts) if isinstance(each, ast.Constant) and each.value is None]
            dots = [number for number, each in enumerate(parts) if isinstance(each, ast.Constant) and each.value is ...]
            if len(new) != 1 or not all(
                number in (*new, *dots) or _is_whole(each) for number, each in enumerate(parts)
            ):
                return _Factor(node, None)
            return _Factor(of, new[0] - len(parts) if dots and dots[0] < new[0] else new[0])
    return _Factor(node, None)


def _written(at: ast.expr) -> int | None:
    match at:
        case ast.Constant(value=int(number)):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
            return -number
    return None


def _is_whole(index: ast.expr) -> bool:
    return isinstance(index, ast.Slice) and index.lower is index.upper is index.step is None
