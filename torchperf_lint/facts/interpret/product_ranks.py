"""Ranks of products and losses, of which all operands have a part."""

from __future__ import annotations

from torchperf_lint.facts.interpret.operands import Operands, largest_rank, number_of_sizes


def _ranks(call: Operands) -> list[int | None]:
    return [value.rank for value in call.every if value.kind == "tensor"]


def matmul(call: Operands) -> int | None:
    ranks = _ranks(call)
    if len(ranks) != 2:
        return None
    a, b = ranks
    if a is None or b is None:
        return None
    if a == b == 1:
        return 0
    return max(a, b) - 1 if 1 in (a, b) else max(a, b)


def inner(call: Operands) -> int | None:
    match _ranks(call):
        case [int(a), int(b)]:
            return a + b if 0 in (a, b) else a + b - 2
    return None


def tensordot(call: Operands) -> int | None:
    ranks, dims = _ranks(call), call.bound.get("dims")
    if len(ranks) != 2 or None in ranks:
        return None
    taken: int | None = 2
    if dims is not None:
        if isinstance(dims.const, int) and dims.kind == "number":
            taken = dims.const
        elif isinstance(dims.items, tuple) and dims.items:
            taken = number_of_sizes(dims.items[0])
        else:
            return None
    return None if taken is None else (ranks[0] or 0) + (ranks[1] or 0) - 2 * taken


def einsum(call: Operands) -> int | None:
    equation = call.bound.get("equation")
    if equation is None or not isinstance(equation.const, str) or "..." in equation.const:
        return None
    left, arrow, right = equation.const.replace(" ", "").partition("->")
    if arrow:
        return len(right)
    letters = left.replace(",", "")
    return sum(letters.count(letter) == 1 for letter in set(letters))


def loss(call: Operands, less: int | None) -> int | None:
    """The rank of a loss: a number, or not reduced, so many dimensions less than its largest operand; None: nobody knows."""
    bound = call.bound
    if "size_average" in bound or "reduce" in bound:
        return None
    reduction = bound.get("reduction")
    if reduction is None:
        return 0
    if not isinstance(reduction.const, str):
        return None
    if reduction.const != "none":
        return 0 if reduction.const in ("mean", "sum", "batchmean") else None
    largest = largest_rank([value for value in call.every if value.kind == "tensor"])
    return None if largest is None or less is None else largest - less
