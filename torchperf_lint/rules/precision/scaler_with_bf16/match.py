"""What switches a scaler on, by what it is called."""

from __future__ import annotations

from torchperf_lint.facts.guesses import precision_names


def is_about_dtype(text: str) -> bool:
    """Whether a setting may depend on the dtype, or on the scaler itself."""
    return precision_names.is_about_dtype(text)
