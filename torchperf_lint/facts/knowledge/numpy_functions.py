"""What functions of NumPy and methods of its arrays give. Data, of NumPy 2.4.

FUNCTIONS   what they give   the dtype of it   the place of the argument `dtype`   names behind `numpy.`
METHODS     the dtype of what they give   names

What a function gives: `array`, of one or more dimensions where it is given something of them; `either`, a number or an
array, by what it is given; `number`; `drawn:N`, one number unless it is given more than N arguments, or `size`. A dtype
is that of NumPy; `given`, which is that of the first argument, or of what a list holds; `whole:N`, which is int64 if the
first N arguments are whole; or `-`, not known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

FUNCTIONS: Final = """
array float64 1 empty frombuffer ones zeros
array float64 5 linspace
array - 2 full
array given 1 array asarray ascontiguousarray
array given - concatenate copy expand_dims flip hstack reshape squeeze stack transpose vstack
array whole:3 - arange
array whole:0 - argsort
array whole:1 - random.permutation
array - - argpartition flatnonzero nonzero outer pad repeat roll sort tile tril_indices triu_indices unique where
either - - ceil exp floor log sqrt prod sum mean max min median std var
either whole:0 - argmax
number - - allclose array_equal isscalar ndim size
drawn:0 float64 - random.rand random.randn random.random random.standard_normal
drawn:2 float64 - random.normal random.uniform
drawn:2 whole:0 - random.randint
drawn:1 whole:1 - random.choice
"""

METHODS: Final = """
given copy flatten ravel repeat reshape round squeeze swapaxes transpose
- astype clip
"""

DTYPES: Final = {
    "uint8": "uint8", "int8": "int8", "int16": "int16", "int32": "int32", "int64": "int64", "uint16": "uint16", "uint32": "uint32",
    "uint64": "uint64", "float16": "float16", "float32": "float32", "float64": "float64", "double": "float64", "bool_": "bool",
}  # fmt: skip
"""The dtype of torch for a type of NumPy."""
_NUMBER: Final = re.compile(r"(u?int|float)(\d+|_|c|p)?")


@dataclass(frozen=True, slots=True)
class Row:
    """What a function gives."""

    gives: str
    """"array", "either", "number" or "drawn"."""
    unless: int
    """Of what is drawn: given more arguments than so many, it is an array."""
    dtype: str | None
    """A dtype, "given", "whole", or None."""
    whole: int
    """So many of the first arguments must be whole for an int64."""
    dtype_at: int | None


@cache
def _functions() -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for line in FUNCTIONS.strip().splitlines():
        gives, dtype, place, *names = line.split()
        what, _, unless = gives.partition(":")
        kind, _, whole = dtype.partition(":")
        at = None if place == "-" else int(place)
        row = Row(what, int(unless or 0), None if kind == "-" else kind, int(whole or 0), at)
        rows |= dict.fromkeys(names, row)
    return rows


def function(name: str) -> Row | None:
    """What a function gives, by its name behind `numpy.`."""
    return _functions().get(name)


@cache
def _methods() -> dict[str, str]:
    rows = (line.split() for line in METHODS.strip().splitlines())
    return {name: dtype for dtype, *names in rows for name in names}


def keeps_array(method: str) -> bool:
    """Whether a method of an array gives an array again, and never one number."""
    return method in _methods()


def keeps_dtype(method: str) -> bool:
    """Whether a method of an array gives one of the same dtype."""
    return _methods().get(method) == "given"


def is_number_type(name: str) -> bool:
    """Whether calling a type of NumPy gives one number."""
    return _NUMBER.fullmatch(name) is not None
