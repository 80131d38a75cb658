"""The dtype of a result: what the words of `knowledge.operations` for it mean in a call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from torchperf_lint.facts.domain.value import NO, Value
from torchperf_lint.facts.interpret.dtypes import (
    DEFAULT,
    argument,
    arith,
    category,
    complex_of,
    floating,
    given,
    of_data,
    promote,
    real,
    summed,
)
from torchperf_lint.facts.interpret.operands import Operands


def find(word: str | int | None, first: Value | None, operands: list[Value], bound: dict[str, Value]) -> str | None:
    """The dtype that a word of `knowledge.operations` stands for in a call."""
    if word is None or isinstance(word, int):
        return None
    asked = bound.get("dtype")
    if word.startswith("arg-or-"):
        return argument(asked) if given(asked) else find(word.removeprefix("arg-or-"), first, operands, bound)
    if word.startswith("@"):
        return of_data(bound.get(word[1:]))
    if word in _ON_REQUEST and given(asked):
        return argument(asked)
    rule = _WORDS.get(word)
    if rule is not None:
        return rule(Operands("", first, operands, bound))
    return word if category(word) is not None and word not in ("int", "float", "complex") else None


_ON_REQUEST: Final = ("arg", "data", "fill", "sum")
"""Words of operations that give the dtype that they are asked for."""


def _default(_: Operands) -> str | None:
    return DEFAULT


def _truth(call: Operands) -> str | None:
    """What compares: bool, but for bytes, which old masks are."""
    if call.dtype in (None, "integral"):
        return None
    return "uint8" if call.dtype == "uint8" else "bool"


def _same(call: Operands) -> str | None:
    return call.dtype


def _where(call: Operands) -> str | None:
    if call.is_condition_alone():
        return "int64"
    return promote([value for value in call.every if value is not call.bound.get("condition")])


def _promoted(call: Operands) -> str | None:
    return promote(call.every)


def _float(call: Operands) -> str | None:
    return floating(promote(call.every))


def _arith(call: Operands) -> str | None:
    return arith(promote(call.every))


def _sum(call: Operands) -> str | None:
    return summed(promote(call.every))


def _div(call: Operands) -> str | None:
    mode = call.bound.get("rounding_mode")
    if mode is None or mode.kind == "none":
        return floating(promote(call.every))
    return promote(call.every) if mode.kind == "string" else None


def _data(call: Operands) -> str | None:
    return of_data(call.bound.get("data") or _bounds(call.bound))


def _fill(call: Operands) -> str | None:
    return of_data(call.bound.get("fill_value"))


def _index(call: Operands) -> str | None:
    narrow = call.bound.get("out_int32")
    return "int64" if narrow is None else None if narrow.const is NO else ("int32" if narrow.const else "int64")


def _real(call: Operands) -> str | None:
    return real(promote(call.every))


def _float_real(call: Operands) -> str | None:
    return real(floating(promote(call.every)))


def _complex(call: Operands) -> str | None:
    return complex_of(floating(promote(call.every)))


def _double(call: Operands) -> str | None:
    kind = category(call.dtype)
    return None if kind is None else "complex128" if kind == 3 else "float64"


def _to(call: Operands) -> str | None:
    other, asked = call.bound.get("other"), call.bound.get("dtype")
    if other is not None:
        return other.dtype if other.kind == "tensor" else None
    return argument(asked) if given(asked) else call.dtype


_WORDS: Final[dict[str, Callable[[Operands], str | None]]] = {
    "arg": _default, "arith": _arith, "complex": _complex, "data": _data, "div": _div, "double": _double, "fill": _fill,
    "float": _float, "float-real": _float_real, "index": _index, "promote": _promoted, "real": _real, "same": _same,
    "sum": _sum, "to": _to, "truth": _truth, "where": _where,
}  # fmt: skip
"""What each word means that is no dtype itself."""


def _bounds(bound: dict[str, Value]) -> Value | None:
    """The bounds of `torch.arange(start, end, step)`, as if they were data."""
    numbers = [bound[name] for name in ("start", "end", "step") if name in bound]
    return Value("list", items=tuple(numbers)) if numbers else None
