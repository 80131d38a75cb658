"""Compares a row of `knowledge.operations` with what torch gave. Imports torch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from knowledge.binding import Call, UnknownError, flat
from knowledge.dtypes import dtype
from knowledge.ranks import device, grad, rank

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torchperf_lint.facts.knowledge import Effect


def items(column: Any, count: int) -> list[Any]:
    """A column for each item of a result that is a tuple, or for each item of a list."""
    return (
        list(column)[:count]
        if isinstance(column, tuple) and count > 1
        else [column[0] if isinstance(column, tuple) else column] * count
    )


def check(effect: Effect, call: Call, result: Any, *, forget: Sequence[str] = ()) -> list[str]:
    """What torch gave and the row did not promise; `forget` leaves columns out."""
    tensors = (
        [result]
        if isinstance(result, torch.Tensor)
        else [item for item in flat(result) if isinstance(item, torch.Tensor)]
    )
    wrong = []
    columns: dict[str, tuple[Any, Callable[[Any, torch.Tensor], tuple[Any, Any]]]] = {
        "dtype": (effect.dtype, lambda word, out: (dtype(word, call), out.dtype)),
        "rank": (effect.rank, lambda word, out: (rank(word, call), out.dim())),
        "device": (effect.device, lambda word, out: (device(word, call).type, out.device.type)),
        "grad": (effect.grad, lambda word, out: (grad(word, call, out), out.requires_grad)),
    }
    for column, (words, compare) in columns.items():
        if column in forget:
            continue
        for word, out in zip(items(words, len(tensors)), tensors, strict=False):
            try:
                promised, given = compare(word, out)
            except UnknownError:
                continue
            if promised != given:
                wrong.append(f"{column} {word!r} promises {promised}, torch gives {given}")
    return wrong + ([] if "view" in forget else _memory(effect, call, tensors))


def _memory(effect: Effect, call: Call, results: list[torch.Tensor]) -> list[str]:
    if (
        effect.view is None
        or not call.tensors
        or not results
        or results[0].numel() == 0
        or results[0].is_meta
        or results[0].is_sparse
        or call.first.is_sparse
    ):
        return []
    first, out = call.actual if call.actual is not None else call.first, results[0]
    if effect.inplace:
        return [] if out is first else ["in place, but another tensor came back"]
    shares = out.untyped_storage().data_ptr() == first.untyped_storage().data_ptr()
    return [] if shares == effect.view else [f"view {effect.view} is promised, sharing is {shares}"]
