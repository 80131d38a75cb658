"""The dtypes of torch by category, and the short names of some. Data, of torch 2.13."""

from __future__ import annotations

from typing import Final

INTEGRAL: Final = ("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64")
FLOATING: Final = ("float8_e4m3fn", "float8_e5m2", "float16", "bfloat16", "float32", "float64")
COMPLEX: Final = ("complex32", "complex64", "complex128")
ALL: Final = frozenset((*INTEGRAL, *FLOATING, *COMPLEX))
SHORT: Final = {
    "float": "float32", "double": "float64", "half": "float16", "long": "int64", "int": "int32", "short": "int16",
    "cfloat": "complex64", "cdouble": "complex128",
}  # fmt: skip
"""Names of torch for a dtype, and of the methods that cast to it."""
