"""Ranks: the words of `knowledge.operations` for how many dimensions a result has."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.interpret import product_ranks
from torchperf_lint.facts.interpret.operands import Operands, largest_rank, number_of_sizes, truth

_SUFFIX: Final = re.compile(r"(.+?)([+-]\d)$")


def find(
    word: str | int | None, name: str, first: Value | None, operands: list[Value], bound: dict[str, Value]
) -> int | None:
    """The rank that a word stands for in a call of `name`; None where it is not known."""
    if word is None or isinstance(word, int):
        return word
    call = Operands(name, first, operands, bound)
    shift: int | None = 0
    suffixed = _SUFFIX.match(word)
    if suffixed and suffixed[1] not in ("loss",):
        word, shift = suffixed[1], _shift(call, int(suffixed[2]))
    base = int(word) if word.isdigit() else _base(word, call)
    return None if base is None or shift is None else max(base + shift, 0)


def _shift(call: Operands, given: int) -> int | None:
    """By how much a rank is another: an axis that is kept is not taken away."""
    kept = call.flag("keepdim") if given < 0 else False
    return None if kept is None else 0 if kept else given


def _base(word: str, call: Operands) -> int | None:
    if word.startswith("@"):
        value = call.bound.get(word[1:])
        if value is None or value.kind not in ("tensor", "number"):
            return None
        return value.rank if value.kind == "tensor" else 0
    rule = _WORDS.get(word)
    return rule(call) if rule is not None else None


def _same(call: Operands) -> int | None:
    return call.rank


def _nonzero(call: Operands) -> int | None:
    is_tuple = call.flag("as_tuple")
    return None if is_tuple is None else 1 if is_tuple else 2


def _where(call: Operands) -> int | None:
    return 1 if call.is_condition_alone() else largest_rank(call.no_numbers)


def _broadcast(call: Operands) -> int | None:
    return largest_rank(call.no_numbers)


def _einops(call: Operands) -> int | None:
    return _axes(call.bound.get("pattern"))


def _reduced(call: Operands) -> int | None:
    return _reduce(call.rank, call.bound)


def _minmax(call: Operands) -> int | None:
    other = call.bound.get("other")
    if other is None:
        return _reduce(call.rank, call.bound)
    return largest_rank([call.first, other]) if other.kind == "tensor" else None


def _quantile(call: Operands) -> int | None:
    extra = call.bound.get("q")
    base, more = _reduce(call.rank, call.bound), extra.rank if extra is not None and extra.kind == "tensor" else 0
    return None if base is None or more is None else base + more


def _at_least(least: int) -> Callable[[Operands], int | None]:
    """The largest rank of all, and so many dimensions at least: `cat`, `hstack`."""

    def stacked(call: Operands) -> int | None:
        found = largest_rank(call.every)
        return None if found is None else max(found, least)

    return stacked


def _atleast(call: Operands) -> int | None:
    """`torch.atleast_2d`: as its name says."""
    digit = re.search(r"(\d)d", call.name)
    return max(call.rank, int(digit[1])) if call.rank is not None and digit else None


def _sizes(call: Operands) -> int | None:
    given = (call.bound.get(name) for name in ("size", "sizes", "repeats", "dims", "shape"))
    return number_of_sizes(next((value for value in given if value is not None), None))


def _tile(call: Operands) -> int | None:
    sizes = _sizes(call)
    return sizes if sizes is None or call.rank is None else max(call.rank, sizes)


def _view(call: Operands) -> int | None:
    return call.rank if "dtype" in call.bound else number_of_sizes(call.bound.get("size") or call.bound.get("shape"))


def _old_constructor(call: Operands) -> int | None:
    return _legacy(call.bound)


def _nested(call: Operands) -> int | None:
    return _nesting(call.bound.get("data"))


def _flat(call: Operands) -> int | None:
    dim = call.bound.get("dim")
    return 1 if dim is None or dim.kind == "none" else call.rank if dim.kind == "number" else None


def _flattened(call: Operands) -> int | None:
    return _flatten(call.rank, call.bound, 0)


def _flattened_from_1(call: Operands) -> int | None:
    return _flatten(call.rank, call.bound, 1)


def _unflattened(call: Operands) -> int | None:
    sizes = number_of_sizes(call.bound.get("sizes"))
    return None if call.rank is None or sizes is None else call.rank + sizes - 1


def _diag(call: Operands) -> int | None:
    return {1: 2, 2: 1}.get(call.rank if call.rank is not None else -1)


def _listed(call: Operands) -> int | None:
    listed = call.bound.get("tensors")
    return len(listed.items) if listed is not None and isinstance(listed.items, tuple) else None


def _reduce(own: int | None, bound: dict[str, Value]) -> int | None:
    dim = bound.get("dim")
    keepdim = bound.get("keepdim")
    kept = truth(keepdim) if keepdim is not None else False
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


def _axes(pattern: Value | None) -> int | None:
    """How many axes the right side of an einops pattern names; a group in brackets is one."""
    if pattern is None or not isinstance(pattern.const, str) or "..." in pattern.const:
        return None
    right = pattern.const.rpartition("->")[2]
    return len(re.sub(r"\([^()]*\)", " x ", right).split())


def _loss_each(call: Operands) -> int | None:
    return product_ranks.loss(call, 0)


def _loss_each_row(call: Operands) -> int | None:
    return product_ranks.loss(call, 1)


def _loss_reduced(call: Operands) -> int | None:
    return product_ranks.loss(call, None)


_WORDS: Final[dict[str, Callable[[Operands], int | None]]] = {
    "atleast": _atleast, "broadcast": _broadcast, "cat": _at_least(0), "count": _listed, "diag": _diag, "dstack": _at_least(3),
    "einops": _einops, "einsum": product_ranks.einsum, "flat": _flat, "flatten": _flattened, "flatten1": _flattened_from_1,
    "hstack": _at_least(1), "inner": product_ranks.inner, "legacy": _old_constructor, "loss": _loss_each,
    "loss-1": _loss_each_row, "loss0": _loss_reduced, "matmul": product_ranks.matmul, "minmax": _minmax, "nest": _nested,
    "nonzero": _nonzero, "quantile": _quantile, "reduce": _reduced, "same": _same, "size": _sizes,
    "tensordot": product_ranks.tensordot, "tile": _tile, "unflatten": _unflattened, "view": _view, "vstack": _at_least(2),
    "where": _where,
}  # fmt: skip
"""What each word means that is no number."""
