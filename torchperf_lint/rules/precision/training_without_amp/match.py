"""The step of a program that trains in float32. Knows where precision is settled, as the rule about TF32 does."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import file_traits, matmul_precision

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_HEAVY: Final = (
    "Linear", "Conv2d", "Conv3d", "LSTM", "GRU", "Transformer", "TransformerEncoder", "TransformerEncoderLayer", "MultiheadAttention",
    "resnet18", "resnet34", "resnet50", "resnet101", "create_model", "models",
)  # fmt: skip
_ELSEWHERE: Final = (
    "Trainer", "Fabric", "LightningModule", "Accelerator", "pl", "lightning", "TrainingArguments", "set_default_dtype", "float64",
    "double", "env", "gym", "gymnasium", "LBFGS", "BCELoss", "binary_cross_entropy",
)  # fmt: skip
"""Who settles precision elsewhere, who wants all digits, and whose networks are too small to gain; losses that autocast refuses."""


def trains_in_float32(facts: Facts, call: ast.AST) -> bool:
    """Whether a call is the first backward pass of a program in which nothing asks for half precision."""
    module = facts.module
    found = module.calls.get("backward", ())
    if not found or found[0] is not call or not file_traits.is_script(module):
        return False
    if matmul_precision.of_products(module) not in ("float32", "tf32") or file_traits.mentions(module, _ELSEWHERE):
        return False
    return file_traits.mentions(module, _HEAVY)
