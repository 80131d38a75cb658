"""Ranks: the words of `knowledge.operations` for how many dimensions a result has."""

from __future__ import annotations

import re
from typing import Final

from torchperf_lint.facts.domain.value import NO, Value

_SUFFIX: Final = re.compile(r"(.+?)([+-]\d)$")


def find(
    word: str | int | None, name: str, first: Value | None, operands: list[Value], bound: dict[str, Value]
) -> int | None:
    """The rank that a word stands for in a call of `name`; None where it is not known."""
    if word is None or isinstance(word, int):
        return word
    shift = 0
    suffixed = _SUFFIX.match(word)
    if suffixed and suffixed[1] not in ("loss",):
        word, shift = suffixed[1], int(suffixed[2])
        if shift < 0 and "keepdim" in bound:
            kept = _flag(bound["keepdim"])
            if kept is None:
                return None
            shift = 0 if kept else shift
    base = int(word) if word.isdigit() else _base(word, name, first, operands, bound)
    return None if base is None else max(base + shift, 0)


def _base(word: str, name: str, first: Value | None, operands: list[Value], bound: dict[str, Value]) -> int | None:
    own = first.rank if first is not None and first.kind == "tensor" else None
    if word.startswith("@"):
        value = bound.get(word[1:])
        return (
            None if value is None else value.rank if value.kind == "tensor" else 0 if value.kind == "number" else None
        )
    match word:
        case "nonzero":
            flag = bound.get("as_tuple")
            kept = _flag(flag) if flag is not None else False
            return None if kept is None else 1 if kept else 2
        case "where":
            alone = not any(name in bound for name in ("input", "self", "other"))
            return 1 if alone else _largest([value for value in operands if value.kind != "number"])
        case "einops":
            return _axes(bound.get("pattern"))
        case "same":
            return own
        case "reduce":
            return _reduce(own, bound)
        case "minmax":
            other = bound.get("other")
            if other is not None:
                return _largest([first, other]) if other.kind == "tensor" else None
            return _reduce(own, bound)
        case "quantile":
            extra = bound.get("q")
            base = _reduce(own, bound)
            more = extra.rank if extra is not None and extra.kind == "tensor" else 0
            return None if base is None or more is None else base + more
        case "broadcast":
            return _largest([value for value in operands if value.kind != "number"])
        case "cat" | "hstack" | "vstack" | "dstack":
            found = _largest(operands)
            least = {"cat": 0, "hstack": 1, "vstack": 2, "dstack": 3}[word]
            return None if found is None else max(found, least)
        case "atleast":
            digit = re.search(r"(\d)d", name)
            return max(own, int(digit[1])) if own is not None and digit else None
        case "size" | "tile":
            sizes = _count(
                bound.get("size")
                or bound.get("sizes")
                or bound.get("repeats")
                or bound.get("dims")
                or bound.get("shape")
            )
            return sizes if word == "size" or sizes is None or own is None else max(own, sizes)
        case "view":
            return own if "dtype" in bound else _count(bound.get("size") or bound.get("shape"))
        case "legacy":
            return _legacy(bound)
        case "nest":
            return _nesting(bound.get("data"))
        case "flat":
            dim = bound.get("dim")
            return 1 if dim is None or dim.kind == "none" else own if dim.kind == "number" else None
        case "flatten" | "flatten1":
            return _flatten(own, bound, 1 if word == "flatten1" else 0)
        case "unflatten":
            sizes = _count(bound.get("sizes"))
            return None if own is None or sizes is None else own + sizes - 1
        case "diag":
            return {1: 2, 2: 1}.get(own if own is not None else -1)
    return _product(word, operands, bound)


def _product(word: str, operands: list[Value], bound: dict[str, Value]) -> int | None:
    """Words for products, losses and the rest that look at all operands."""
    ranks = [value.rank for value in operands if value.kind == "tensor"]
    match word:
        case "matmul":
            return _matmul(ranks)
        case "inner":
            if len(ranks) != 2 or None in ranks:
                return None
            a, b = ranks
            assert a is not None
            assert b is not None
            return a + b if 0 in (a, b) else a + b - 2
        case "tensordot":
            return _tensordot(ranks, bound.get("dims"))
        case "einsum":
            return _einsum(bound.get("equation"))
        case "count":
            listed = bound.get("tensors")
            return len(listed.items) if listed is not None and isinstance(listed.items, tuple) else None
        case "loss" | "loss-1" | "loss0":
            return _loss(word, operands, bound)
    return None


def _flag(value: Value) -> bool | None:
    return bool(value.const) if value.const is not NO and value.kind == "number" else None


def _reduce(own: int | None, bound: dict[str, Value]) -> int | None:
    dim = bound.get("dim")
    keepdim = bound.get("keepdim")
    kept = _flag(keepdim) if keepdim is not None else False
    if kept is None:
        return None
    if kept:
        return own
    if dim is None or dim.kind == "none":
        return 0
    if dim.kind == "number":
        return max(own - 1, 0) if own is not None else None
    if dim.kind in ("tuple", "list") and isinstance(dim.items, tuple):
        if not dim.items:
            return 0
        return max(own - len(dim.items), 0) if own is not None else None
    return None


def _largest(values: list[Value | None] | list[Value]) -> int | None:
    found: int | None = None
    for value in values:
        if value is None or value.kind not in ("tensor",) or value.rank is None:
            return None
        found = value.rank if found is None else max(found, value.rank)
    return found


def _count(value: Value | None) -> int | None:
    """How many sizes are given."""
    if value is None:
        return None
    if value.kind == "number":
        return 1
    if isinstance(value.items, tuple):
        if len(value.items) == 1 and value.items[0].kind in ("tuple", "list", "size"):
            return _count(value.items[0])
        if any(item.kind in ("tuple", "list", "size", "unknown") for item in value.items) and len(value.items) == 1:
            return None
        return len(value.items)
    return None


def _legacy(bound: dict[str, Value]) -> int | None:
    """`torch.Tensor(2, 3)` takes sizes, `torch.Tensor([2, 3])` and `torch.Tensor((2, 3))` take data."""
    given = bound.get("size")
    if given is None or given.kind != "size":
        return _nesting(given or bound.get("data"))
    if isinstance(given.items, tuple) and all(item.kind == "number" for item in given.items):
        return max(len(given.items), 1)
    return None


def _nesting(value: Value | None) -> int | None:
    """How deep lists of numbers are nested."""
    if value is None:
        return None
    if value.kind == "number":
        return 0
    if value.kind == "tensor":
        return value.rank
    if value.kind in ("list", "tuple"):
        item = value.items[0] if isinstance(value.items, tuple) and value.items else value.elem
        if item is None:
            return 1 if value.items == () else None
        inner = _nesting(item)
        return None if inner is None else inner + 1
    return None


def _flatten(own: int | None, bound: dict[str, Value], begin: int) -> int | None:
    first, last = bound.get("start_dim"), bound.get("end_dim")
    if first is None and last is None and not begin:
        return 1
    start = first.const if first is not None else begin
    end = last.const if last is not None else -1
    if own is None or not isinstance(start, int) or not isinstance(end, int):
        return None
    start, end = (start + own if start < 0 else start), (end + own if end < 0 else end)
    return max(own - (end - start), 1)


def _matmul(ranks: list[int | None]) -> int | None:
    if len(ranks) != 2:
        return None
    a, b = ranks
    if a is None or b is None:
        return None
    if a == b == 1:
        return 0
    return max(a, b) - 1 if 1 in (a, b) else max(a, b)


def _tensordot(ranks: list[int | None], dims: Value | None) -> int | None:
    if len(ranks) != 2 or None in ranks:
        return None
    taken: int | None = 2
    if dims is not None:
        if isinstance(dims.const, int) and dims.kind == "number":
            taken = dims.const
        elif isinstance(dims.items, tuple) and dims.items:
            taken = _count(dims.items[0])
        else:
            return None
    return None if taken is None else (ranks[0] or 0) + (ranks[1] or 0) - 2 * taken


def _einsum(equation: Value | None) -> int | None:
    if equation is None or not isinstance(equation.const, str) or "..." in equation.const:
        return None
    left, arrow, right = equation.const.replace(" ", "").partition("->")
    if arrow:
        return len(right)
    letters = left.replace(",", "")
    return sum(letters.count(letter) == 1 for letter in set(letters))


def _axes(pattern: Value | None) -> int | None:
    """How many axes the right side of an einops pattern names; a group in brackets is one."""
    if pattern is None or not isinstance(pattern.const, str) or "..." in pattern.const:
        return None
    right = pattern.const.rpartition("->")[2]
    return len(re.sub(r"\([^()]*\)", " x ", right).split())


def _loss(word: str, operands: list[Value], bound: dict[str, Value]) -> int | None:
    if "size_average" in bound or "reduce" in bound:
        return None
    reduction = bound.get("reduction")
    if reduction is None:
        return 0
    if not isinstance(reduction.const, str):
        return None
    if reduction.const != "none":
        return 0 if reduction.const in ("mean", "sum", "batchmean") else None
    if word == "loss0":
        return None
    largest = _largest([value for value in operands if value.kind == "tensor"])
    return None if largest is None else largest - (1 if word == "loss-1" else 0)
