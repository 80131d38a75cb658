"""What has to do with half precision, or with a scaler of gradients, by what it is called."""

from __future__ import annotations

import re
from typing import Final

_HALF: Final = re.compile(
    r"scaler|autocast|accelerat|fabric|lightning|float16|fp16|precision|deepspeed|^(amp|half)$", re.IGNORECASE
)


def may_scale(name: str) -> bool:
    """`scaler`, `fp16`, `accelerator`: a file that says so may compute in half precision, or have a library that brings a scaler."""
    return _HALF.search(name) is not None
