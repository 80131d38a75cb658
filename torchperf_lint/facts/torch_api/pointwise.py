"""Operations that work on each element by itself, so that selecting elements before or after makes no difference.

A name stands for the function of `torch`, that of `torch.nn.functional` and the method alike.
"""

from __future__ import annotations

from typing import Final

LINEAR: Final = frozenset(
    ("add", "sub", "subtract", "neg", "negative", "clone", "detach", "contiguous", "to", "float", "double", "half", "bfloat16",
     "long", "int", "bool", "type_as", "positive")
)  # fmt: skip
"""Their backward needs no value of the input."""

STEADY: Final = LINEAR | frozenset(
    ("mul", "multiply", "abs", "absolute", "clamp", "clamp_min", "clamp_max", "clip", "relu", "sigmoid", "tanh", "sin", "cos",
     "floor", "ceil", "round", "trunc", "frac", "sign", "square", "gelu", "silu", "elu", "selu", "leaky_relu", "softplus",
     "hardtanh", "relu6", "maximum", "minimum", "where", "lerp", "logical_not", "logical_and", "logical_or", "logical_xor",
     "zeros_like", "ones_like", "isnan", "isinf", "isfinite", "eq", "ne", "lt", "le", "gt", "ge", "nan_to_num", "sgn", "logsigmoid", "atan", "arctan")
)  # fmt: skip
"""Finite values give finite values and gradients."""

STEEP: Final = frozenset(
    ("sqrt", "rsqrt", "log", "log2", "log10", "log1p", "pow", "float_power", "div", "divide", "true_divide", "reciprocal", "exp",
     "exp2", "expm1")
)  # fmt: skip
"""A finite value may give an infinite gradient or NaN, which a zero behind it does not take away; at 1 all is well."""

NAMES: Final = STEADY | STEEP


def name(dotted: str) -> str | None:
    """The operation that a canonical dotted name of torch stands for, if it works on each element by itself."""
    head, _, last = dotted.rpartition(".")
    known = head in ("torch", "torch.nn.functional", "torch.special") and last in NAMES
    return last if known else None
