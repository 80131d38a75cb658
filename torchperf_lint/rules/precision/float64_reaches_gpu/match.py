"""Tensors of the host that are float64, because NumPy made them so."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.context import file_traits
from torchperf_lint.facts.guesses import file_words

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def wants_digits(facts: Facts) -> bool:
    """Whether a file says that it wants all digits."""
    return file_traits.suggests(facts.module, file_words.wants_digits)


def may_be_double(facts: Facts, node: ast.AST) -> bool:
    """Whether what a method is called on is a float64 tensor of the host with a dimension or more."""
    held = facts.receiver_at(node)
    return held.kind == "tensor" and held.dtype == "float64" and held.on_host and held.rank != 0
