"""Operations that work on each element by itself, so that selecting elements before or after makes no difference.

A name stands for the function of `torch`, that of `torch.nn.functional` and the method alike.
"""

from __future__ import annotations

from typing import Final

LINEAR: Final = frozenset(
    ("add", "sub", "subtract", "neg", "negative", "clone", "detach", "contiguous", "to", "float", "double", "half", "bfloat16",
     "long", "int", "bool", "type_as", "positive", "floor", "ceil", "round", "trunc", "sign", "sgn", "zeros_like", "ones_like",
     "logical_not", "logical_and", "logical_or", "logical_xor", "isnan", "isinf", "isfinite", "eq", "ne", "lt", "le", "gt", "ge")
)  # fmt: skip
"""Their backward needs no value of the input, so a NaN of it goes nowhere where the gradient is zero."""

NAMES: Final = LINEAR | frozenset(
    ("mul", "multiply", "abs", "absolute", "clamp", "clamp_min", "clamp_max", "clip", "relu", "sigmoid", "tanh", "sin", "cos",
     "frac", "square", "gelu", "silu", "elu", "selu", "leaky_relu", "softplus", "hardtanh", "relu6", "maximum", "minimum", "where",
     "lerp", "nan_to_num", "logsigmoid", "atan", "arctan", "sqrt", "rsqrt", "log", "log2", "log10", "log1p", "pow", "float_power",
     "div", "divide", "true_divide", "reciprocal", "exp", "exp2", "expm1")
)  # fmt: skip
"""At 1 all of them give finite values and gradients."""
