"""What a comment says of the code below it, in lower case: that it is as it is on purpose."""

from __future__ import annotations

from typing import Final

_ON_HOST: Final = ("reproduc", "determin", "seed", "on cpu", "on the cpu", "device=", "trace")
_ON_PURPOSE: Final = ("on purpose", "deliberate", "intentional", "outside autocast", "outside of autocast")


def tells_why_on_host(text: str) -> bool:
    """`# on the CPU, so that it is reproducible`: whoever makes a tensor there and moves it has a reason."""
    return any(word in text for word in _ON_HOST)


def tells_of_purpose(text: str) -> bool:
    """`# backward outside of autocast is slower here`: whoever has left something under autocast has thought of it."""
    return any(word in text for word in _ON_PURPOSE)


def tells_of_bug(text: str) -> bool:
    """`# workaround for a bug of the JIT`: a copy that nothing needs is there for something else."""
    return any(word in text for word in ("bug", "workaround", "jit"))


def tells_of_memory(text: str) -> bool:
    """`# one by one, to save memory`: a loop whose turns could run at once is meant."""
    return "memory" in text or "oom" in text


def tells_of_buffer(text: str) -> bool:
    """`# not a buffer: must not be saved`: that a tensor is kept as a plain attribute is meant."""
    return "buffer" in text


def names_fused_attention(text: str) -> bool:
    """`# scaled_dot_product_attention() gives other digits here`: whoever has written attention out knows of the fused way."""
    return "scaled_dot_product_attention" in text
