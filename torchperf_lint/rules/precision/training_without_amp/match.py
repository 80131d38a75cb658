"""The step of a program that trains in float32. Knows where precision is settled, as the rule about TF32 does."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import file_traits, matmul_precision
from torchperf_lint.facts.guesses import file_words

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_HEAVY: Final = (
    "Linear", "Conv2d", "Conv3d", "LSTM", "GRU", "Transformer", "TransformerEncoder", "TransformerEncoderLayer", "MultiheadAttention",
    "resnet18", "resnet34", "resnet50", "resnet101", "create_model", "models",
)  # fmt: skip
_REFUSED: Final = ("LBFGS", "BCELoss", "binary_cross_entropy")
"""What does not work with half precision: an optimizer that a scaler refuses, and losses that autocast does."""


def trains_in_float32(facts: Facts, call: ast.AST) -> bool:
    """Whether a call is the first backward pass of a program in which nothing asks for half precision."""
    module = facts.module
    found = module.calls.get("backward", ())
    if not found or found[0] is not call or not file_traits.is_script(module):
        return False
    if matmul_precision.of_products(module) not in ("float32", "tf32") or file_traits.mentions(module, _REFUSED):
        return False
    if any(
        file_traits.suggests(module, each) for each in (file_words.settles_precision, file_words.steps_environments)
    ):
        return False
    return file_traits.mentions(module, _HEAVY)
