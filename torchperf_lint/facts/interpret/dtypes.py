"""Dtypes: torch's promotion of types, and the dtype of data and of arguments.

A dtype is a torch name ("int64"), a group ("floating", "integral"), or None where it is not known; a number's is "int",
"float", "bool" or "complex".
"""

from __future__ import annotations

from typing import Final

from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.knowledge import dtype_names

DEFAULT: Final = "float32"

_INTEGRAL: Final = frozenset((*dtype_names.INTEGRAL, "integral"))
_FLOATING: Final = frozenset((*dtype_names.FLOATING, "floating"))
_CATEGORY: Final = {"bool": 0, "int": 1, "float": 2, "complex": 3}
"""Python's numbers by category."""


FLOATING: Final = 2


def category(dtype: str | None) -> int | None:
    """0 bool, 1 integral, 2 floating, 3 complex."""
    if dtype is None:
        return None
    if dtype == "bool":
        return 0
    if dtype in _INTEGRAL or dtype == "int":
        return 1
    if dtype in _FLOATING or dtype == "float":
        return 2
    return 3 if dtype in dtype_names.COMPLEX or dtype == "complex" else None


_WIDTH: Final = {
    "int8": 8,
    "int16": 16,
    "int32": 32,
    "int64": 64,
    "float32": 32,
    "float64": 64,
    "complex64": 64,
    "complex128": 128,
}


def wider(a: str | None, b: str | None) -> str | None:
    """The dtype that two tensors of the same weight promote to."""
    if a == b:
        return a
    if a is None or b is None:
        return None
    low, high = category(a), category(b)
    if low is None or high is None:
        return None
    if low != high:
        winner, loser = (a, b) if low > high else (b, a)
        if category(winner) == 3 and category(loser) == 2 and loser == "float64":
            return "complex128"
        return winner if category(winner) != 3 or loser != "floating" else None
    if a in _WIDTH and b in _WIDTH:
        return a if _WIDTH[a] > _WIDTH[b] else b
    if {a, b} == {"float16", "bfloat16"}:
        return "float32"
    if category(a) == 2 and "floating" not in (a, b):
        return a if a in ("float32", "float64") else b
    if {a, b} <= {"uint8", "int16", "int32", "int64"}:
        return a if b == "uint8" else b
    if {a, b} == {"uint8", "int8"}:
        return "int16"
    return "floating" if category(a) == 2 else "integral"


def promote(operands: list[Value]) -> str | None:
    """What tensors and numbers promote to: tensors with dimensions first, then 0-dim ones, then numbers."""
    dims: list[str | None] = []
    points: list[str | None] = []
    numbers: list[str | None] = []
    vague = False
    for value in operands:
        if value.kind == "tensor":
            if value.rank is None:
                vague = True
            (points if value.rank == 0 else dims).append(value.dtype)
        elif value.kind == "number":
            numbers.append(value.dtype)
        elif value.kind != "none":
            return None
    if vague and (points or len({*dims}) > 1):
        return None
    result: str | None = None
    started = False
    for group in (dims, points, numbers):
        if not group:
            continue
        own = group[0]
        for each in group[1:]:
            own = wider(own, each) if group is not numbers else _broader(own, each)
        if not started:
            result = _of_number(own) if group is numbers else own
            started = True
            continue
        low, high = category(result), category(own)
        if low is None or high is None:
            return None
        if high > low:
            result = _of_number(own) if group is numbers else own
            if result == "complex64" and group is numbers and low == 2:
                return None
    return result


def _broader(a: str | None, b: str | None) -> str | None:
    if a is None or b is None:
        return None
    return a if _CATEGORY.get(a, -1) >= _CATEGORY.get(b, -1) else b


def _of_number(dtype: str | None) -> str | None:
    return {"bool": "bool", "int": "int64", "float": DEFAULT, "complex": "complex64"}.get(dtype or "")


def floating(dtype: str | None) -> str | None:
    """Floating and complex dtypes stay; all else becomes the default."""
    kind = category(dtype)
    if kind is None:
        return None
    return dtype if kind >= 2 else DEFAULT


def summed(dtype: str | None) -> str | None:
    kind = category(dtype)
    if kind is None:
        return None
    return dtype if kind >= 2 else "int64"


def real(dtype: str | None) -> str | None:
    return {"complex64": "float32", "complex128": "float64"}.get(dtype or "", dtype)


def complex_of(dtype: str | None) -> str | None:
    return {"float32": "complex64", "float64": "complex128", "complex64": "complex64", "complex128": "complex128"}.get(
        dtype or ""
    )


def arith(dtype: str | None) -> str | None:
    return "int64" if dtype == "bool" else dtype


def of_data(value: Value | None) -> str | None:
    """The dtype of the tensor that `torch.tensor(value)` makes."""
    if value is None:
        return None
    if value.kind in ("tensor", "ndarray"):
        return value.dtype
    if value.kind == "number":
        return _of_number(value.dtype)
    if value.kind in ("list", "tuple"):
        items = value.items if isinstance(value.items, tuple) else (value.elem,) if value.elem is not None else ()
        found: str | None = None
        for item in items:
            own = of_data(item)
            if own is None:
                return None
            found = own if found is None else _wider_literal(found, own)
        return found if items else (DEFAULT if value.items == () else None)
    return None


def _wider_literal(a: str, b: str) -> str:
    return a if (category(a) or 0) >= (category(b) or 0) else b


_OF_PYTHON: Final = {
    "builtins.float": "float64",
    "builtins.int": "int64",
    "builtins.bool": "bool",
    "builtins.complex": "complex128",
}
"""Python's types as dtypes: `x.to(int)`."""


def is_one(value: Value) -> bool:
    """Whether a value is a dtype."""
    if value.kind == "symbol":
        return str(value.ref).startswith("torch.") or value.ref in _OF_PYTHON
    return value.kind == "dtype"


def argument(value: Value | None) -> str | None:
    """The dtype that a `dtype` argument names; None where it is not known."""
    if value is None or value.kind not in ("dtype", "symbol", "string"):
        return {"builtins.float": DEFAULT}.get(str(value.ref)) if value is not None else None
    if value.kind == "symbol":
        return _OF_PYTHON.get(str(value.ref))
    return value.const if isinstance(value.const, str) else None


def given(value: Value | None) -> bool:
    """Whether a dtype argument is given and is not None."""
    return value is not None and value.kind != "none"
