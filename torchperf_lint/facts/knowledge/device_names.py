"""The devices of torch by the words for them: `torch.device("mps")`. Data, of torch 2.13."""

from __future__ import annotations

from typing import Final

from torchperf_lint.facts.domain.value import CPU, CUDA, OTHER

NAMES: Final = {"cpu": CPU, "cuda": CUDA, "hip": CUDA} | dict.fromkeys(
    ("hpu", "ipu", "maia", "meta", "mps", "mtia", "npu", "vulkan", "xla", "xpu"), OTHER
)
NOT_CUDA: Final = ("is_cpu", "is_ipu", "is_maia", "is_meta", "is_mps", "is_mtia", "is_vulkan", "is_xla", "is_xpu")
"""Attributes of a tensor that say that it is not on CUDA."""
