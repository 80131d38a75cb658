"""What switches a scaler on, and what else a file says of float16, by what it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchperf_lint.facts.context import file_traits
from torchperf_lint.facts.guesses import file_words, precision_names

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def may_be_float16(facts: Facts) -> bool:
    """Whether the file may compute in float16 rather than in bfloat16."""
    return file_traits.suggests(facts.module, file_words.is_of_float16)


def is_about_dtype(text: str) -> bool:
    """Whether a setting may depend on the dtype, or on the scaler itself."""
    return precision_names.is_about_dtype(text)
