"""What a program can switch for the whole process: read before it runs, and put back behind it.

So that nothing that `before` switches is on when `after` is timed: the search for NaN, TF32, what cuDNN may try, the
default dtype, gradients, deterministic kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch


def switches() -> tuple[tuple[Callable[[], Any], Callable[[Any], object]], ...]:
    """Each switch: how it is read and how it is turned."""
    cuda, cudnn = torch.backends.cuda.matmul, torch.backends.cudnn
    return (
        (torch.is_anomaly_enabled, torch.autograd.set_detect_anomaly),
        (torch.get_float32_matmul_precision, torch.set_float32_matmul_precision),
        (
            lambda: cuda.allow_fp16_reduced_precision_reduction,
            lambda v: setattr(cuda, "allow_fp16_reduced_precision_reduction", v),
        ),
        (lambda: cudnn.allow_tf32, lambda value: setattr(cudnn, "allow_tf32", value)),
        (lambda: cudnn.benchmark, lambda value: setattr(cudnn, "benchmark", value)),
        (lambda: cudnn.deterministic, lambda value: setattr(cudnn, "deterministic", value)),
        (torch.are_deterministic_algorithms_enabled, torch.use_deterministic_algorithms),
        (torch.get_default_dtype, torch.set_default_dtype),
        (torch.is_grad_enabled, torch.set_grad_enabled),
        (torch.get_num_threads, torch.set_num_threads),
    )


@contextmanager
def kept() -> Iterator[None]:
    """Puts every switch back that is turned inside."""
    before = [(read, turn, read()) for read, turn in switches()]
    try:
        yield
    finally:
        for read, turn, value in before:
            if read() != value:
                turn(value)
