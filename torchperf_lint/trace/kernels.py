"""What the name of a kernel tells: matrix products with and without tensor cores, and what talks to other GPUs."""

from __future__ import annotations

import re
from typing import Final

_MATRIX: Final = re.compile(
    r"gemm|gemv|cutlass|nvjet|xmma|wgmma|cudnn.*conv|conv.*(?:fprop|dgrad|wgrad)|implicit_convolve|flash|fmha"
)
_TENSOR_CORES: Final = re.compile(
    r"tensorop|s\d{4,5}(?:gemm|fprop|dgrad|wgrad|cudnn)|[hs]16816|[hs]884|[hs]1688|tf32|bf16|f16|_h_|hmma|imma|wgmma|nvjet|fp16|flash|fmha"
)
_COMMUNICATION: Final = re.compile(r"ncclDevKernel|ncclKernel|nccl|AllReduce|all_reduce|nvshmem")


def is_matrix_product(name: str) -> bool:
    return _MATRIX.search(name) is not None


def uses_tensor_cores(name: str) -> bool:
    """Whether a matrix product uses them, as far as its name tells."""
    return _TENSOR_CORES.search(name) is not None


def is_communication(name: str) -> bool:
    return _COMMUNICATION.search(name) is not None


def is_from_pageable(name: str) -> bool:
    return "Pageable" in name


def to_gpu(name: str) -> bool:
    return "HtoD" in name


def to_host(name: str) -> bool:
    return "DtoH" in name
