"""What the words of `knowledge.operations` for dtypes promise for a call whose arguments are all known. Imports torch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from knowledge.binding import Call, UnknownError, flat, is_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_REAL = {torch.complex32: torch.float16, torch.complex64: torch.float32, torch.complex128: torch.float64}
_COMPLEX = {real: wide for wide, real in _REAL.items()} | {torch.bfloat16: torch.complex64}


def dtype(word: Any, call: Call) -> torch.dtype:
    """The dtype that a word promises."""
    if word is None:
        raise UnknownError
    if word.startswith("@"):
        return named(word, call).dtype
    if word.startswith("arg"):
        given = call.given.get("dtype")
        if given is None:
            return torch.float32 if word == "arg" else dtype(word.removeprefix("arg-or-"), call)
        if not isinstance(given, torch.dtype):
            raise UnknownError
        return given
    return _DTYPES[word](call) if word in _DTYPES else getattr(torch, word)


def named(word: str, call: Call) -> torch.Tensor:
    """The argument for the parameter that `@name` speaks of; a number counts as a tensor without dimensions."""
    if word[1:] not in call.given:
        raise UnknownError
    return torch.as_tensor(call.given[word[1:]])


def _promoted(values: Iterable[Any]) -> torch.dtype:
    """As torch does it: tensors with dimensions first, then those without, then numbers, by their category alone."""
    ranked: list[torch.dtype | None] = [None, None, None]
    for value in values:
        if isinstance(value, torch.Tensor):
            place, kind = (1 if value.dim() == 0 else 0), value.dtype
        elif is_number(value):
            place, kind = 2, torch.tensor(value).dtype
        else:
            continue
        before = ranked[place]
        ranked[place] = kind if before is None else torch.promote_types(before, kind)
    found = _combined(ranked[0], _combined(ranked[1], ranked[2]))
    if found is None:
        raise UnknownError
    return found


def _combined(higher: torch.dtype | None, lower: torch.dtype | None) -> torch.dtype | None:
    if higher is None or lower is None:
        return higher or lower
    if higher.is_floating_point and lower.is_complex:
        return _COMPLEX[higher]
    return torch.promote_types(higher, lower) if category(lower) > category(higher) else higher


def category(kind: torch.dtype) -> int:
    return 3 if kind.is_complex else 2 if kind.is_floating_point else 0 if kind is torch.bool else 1


def _floating(kind: torch.dtype) -> torch.dtype:
    return torch.float32 if category(kind) < 2 else kind


def _real(kind: torch.dtype) -> torch.dtype:
    return _REAL.get(kind, kind)


def _operands(call: Call, *, without: str | None = None) -> list[Any]:
    """Tensors and numbers that take part in promotion: the receiver, tensors, and parameters that are operands."""
    names = {"", "input", "self", "other", "exponent", "min", "max", "value", "x", "y", "q"}
    found = []
    for name, value in call.given.items():
        if name == without:
            continue
        if isinstance(value, torch.Tensor) or (name in names and is_number(value)):
            found.append(value)
        elif isinstance(value, (list, tuple)) and value and all(isinstance(item, torch.Tensor) for item in value):
            found.extend(value)
    return found


def _same(call: Call) -> torch.dtype:
    for value in call.given.values():
        if isinstance(value, (list, tuple)) and value and all(isinstance(item, torch.Tensor) for item in value):
            return _promoted(value)
        if isinstance(value, torch.Tensor):
            return value.dtype
    raise UnknownError


def _sum(call: Call) -> torch.dtype:
    given = call.given.get("dtype")
    return given if given is not None else torch.int64 if category(call.first.dtype) < 2 else call.first.dtype


def _leaves(data: Any) -> torch.dtype:
    if isinstance(data, torch.Tensor):
        return data.dtype
    leaves = list(flat([data]))
    if not leaves or not all(is_number(leaf) for leaf in leaves):
        raise UnknownError
    return torch.tensor(leaves).dtype


def _data(call: Call) -> torch.dtype:
    given = call.given.get("dtype")
    if given is not None:
        return given
    return _leaves(
        [value for name, value in call.given.items() if name in ("start", "end", "step")]
        or next(iter(call.given.values()))
    )


def _fill(call: Call) -> torch.dtype:
    return call.given.get("dtype") or _leaves(call.given["fill_value"])


def _to(call: Call) -> torch.dtype:
    if isinstance(call.given.get("other"), torch.Tensor):
        return call.given["other"].dtype
    return call.given.get("dtype") or call.first.dtype


def _div(call: Call) -> torch.dtype:
    kind = _promoted(_operands(call))
    return kind if call.given.get("rounding_mode") else _floating(kind)


_DTYPES: dict[str, Callable[[Call], torch.dtype]] = {
    "same": _same,
    "truth": lambda call: torch.uint8 if call.first.dtype is torch.uint8 else torch.bool,
    "promote": lambda call: _promoted(_operands(call)),
    "float": lambda call: _floating(_promoted(_operands(call))),
    "arith": lambda call: torch.int64 if call.first.dtype is torch.bool else call.first.dtype,
    "sum": _sum,
    "div": _div,
    "where": lambda call: _promoted(_operands(call, without="condition")) if len(call.given) > 1 else torch.int64,
    "data": _data,
    "fill": _fill,
    "index": lambda call: torch.int32 if call.given.get("out_int32") else torch.int64,
    "real": lambda call: _real(_promoted(_operands(call))),
    "float-real": lambda call: _real(_floating(_same(call))),
    "complex": lambda call: _COMPLEX.get(_floating(_same(call)), _floating(_same(call))),
    "double": lambda call: torch.complex128 if _promoted(_operands(call)).is_complex else torch.float64,
    "to": _to,
}
