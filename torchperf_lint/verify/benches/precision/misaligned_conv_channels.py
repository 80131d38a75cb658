"""A convolution whose channels are no multiple of 8, and one that is padded to the next, forward and backward."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Choice, Size

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
from torch import nn


def make(weight):
    layer = nn.Conv2d($inputs, $outputs, $kernel, padding=$kernel // 2, bias=False)
    layer.weight.data = weight.to(torch.$dtype)
    return layer


def run(layer, x):
    y = layer(x)
    y.sum().backward()
    return y
"""

BY_HAND = """
import torch
import torch.nn.functional as F
from torch import nn


def make(weight):
    layer = nn.Conv2d($inputs, $outputs + -$outputs % 8, $kernel, padding=$kernel // 2, bias=False)
    layer.weight.data = F.pad(weight.to(torch.$dtype), (0, 0, 0, 0, 0, 0, 0, -$outputs % 8))
    return layer


def run(layer, x):
    y = layer(x)[:, :$outputs]
    y.sum().backward()
    return y
"""


def arrange(
    stage: Stage, *, batch: int, size: int, inputs: int, outputs: int, kernel: int, dtype: str
) -> tuple[Any, ...]:
    import torch

    weight = torch.randn(outputs, inputs, kernel, kernel) / (inputs * kernel**2) ** 0.5
    x = torch.randn(batch, inputs, size, size, device=stage.device).to(getattr(torch, dtype)).requires_grad_()
    layer = stage.program.make(weight.to(stage.device, getattr(torch, dtype)))
    return partial(layer), x  # its weights are of other shapes, on purpose


def at(node: Any, facts: Facts) -> Mapping[str, object]:
    """The sizes of the layer."""
    made = facts.value(node)
    if not made.known or made.value.ref != "torch.nn.Conv2d" or not isinstance(made.value.items, dict):
        return {}
    given = made.value.items
    places = {"inputs": ("in_channels", "0"), "outputs": ("out_channels", "1"), "kernel": ("kernel_size", "2")}
    found = {name: given.get(keyword) or given.get(place) for name, (keyword, place) in places.items()}
    return {name: value.const for name, value in found.items() if value is not None and value.const}


BENCH = Bench(
    before=BEFORE,
    by_hand=BY_HAND,
    arrange=arrange,
    parameters={
        "batch": Size(64, small=2, most=4096, shrinks=True),
        "size": Size(56, small=7, most=2048),
        "inputs": Size(64, small=1 << 12, most=1 << 12),
        "outputs": Size(63, small=1 << 12, most=1 << 12),
        "kernel": Size(3, small=11, most=11),
        "dtype": Choice("bfloat16", ("float16", "bfloat16")),
    },
    at=at,
)
