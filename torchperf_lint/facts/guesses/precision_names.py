"""What has to do with half precision, or with a scaler of gradients, by what it is called."""

from __future__ import annotations

import re
from typing import Final

_HALF: Final = re.compile(
    r"scaler|autocast|accelerat|fabric|lightning|float16|fp16|precision|deepspeed|^(amp|half)$", re.IGNORECASE
)
_CHOICE: Final = re.compile(r"amp|fp16|bf16|half|scale|precision|mixed|autocast|float16|apex|deepspeed", re.IGNORECASE)
_DTYPE: Final = re.compile(r"16|dtype|precision|half|scal", re.IGNORECASE)


def may_scale(name: str) -> bool:
    """`scaler`, `fp16`, `accelerator`: a file that says so may compute in half precision, or have a library that brings a scaler."""
    return _HALF.search(name) is not None


def scales(name: str) -> bool:
    """`scaler.scale(loss)`, `loss * loss_scale`: keeps small gradients from becoming zero."""
    return "scale" in name.lower()


def chooses_scaling(text: str) -> bool:
    """`if args.amp`, `if mixed`: a condition that chooses between a backward pass with a scaler and one without; `amp` may be any
    part of a word there, which in all the words of a file says nothing."""
    return _CHOICE.search(text) is not None


def is_about_dtype(text: str) -> bool:
    """`enabled=dtype == "float16"`: a setting that may depend on the dtype, or on the scaler itself; not `use_amp`, which is on for
    bfloat16 too."""
    return _DTYPE.search(text) is not None
