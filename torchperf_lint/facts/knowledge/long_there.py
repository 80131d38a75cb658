"""What torch has had for long: since 1.13 at the latest. Older code has a fallback for it, which nothing runs any more."""

from __future__ import annotations

from typing import Final

_NAMES: Final = frozenset(
    f"torch.{each}"
    for each in (
        "nn.SiLU nn.Hardswish nn.Hardsigmoid nn.Mish nn.GELU nn.Identity nn.Flatten nn.Unflatten nn.LayerNorm nn.MultiheadAttention "
        "nn.SyncBatchNorm nn.functional.silu nn.functional.hardswish nn.functional.hardsigmoid nn.functional.mish nn.functional.gelu "
        "nn.init.trunc_normal_ maximum minimum searchsorted bucketize logical_and logical_or logical_not inference_mode amp.autocast "
        "autocast einsum flip repeat_interleave nonzero true_divide floor_divide square clip diff utils.checkpoint utils.tensorboard"
    ).split()
)
_MODULES: Final = tuple(f"torch.{each}" for each in ("cuda.amp", "fft", "linalg", "special", "utils.data"))


def is_there(name: str) -> bool:
    """Whether every torch in use has what a dotted name says."""
    return name in _NAMES or any(name == each or name.startswith(f"{each}.") for each in _MODULES)
