"""A linear layer whose width is no multiple of 8, and one that is padded to the next, forward and backward."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Choice, Size

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
from torch import nn


def make(weight):
    layer = nn.Linear($inputs, $outputs, bias=False)
    layer.weight.data = weight
    return layer


def run(layer, x):
    y = layer(x)
    y.sum().backward()
    return y
"""

BY_HAND = """
import torch.nn.functional as F
from torch import nn


def make(weight):
    layer = nn.Linear($inputs, $outputs + -$outputs % 8, bias=False)
    layer.weight.data = F.pad(weight, (0, 0, 0, -$outputs % 8))
    return layer


def run(layer, x):
    y = layer(x)[..., :$outputs]
    y.sum().backward()
    return y
"""


def arrange(stage: Stage, *, rows: int, inputs: int, outputs: int, dtype: str) -> tuple[Any, ...]:
    import torch

    weight = torch.randn(outputs, inputs, device=stage.device) / inputs**0.5
    x = torch.randn(rows, inputs, device=stage.device).to(getattr(torch, dtype)).requires_grad_()
    layer = stage.program.make(weight.to(getattr(torch, dtype)))
    return partial(layer), x  # its weights are of other shapes, on purpose


def at(node: Any, facts: Facts) -> Mapping[str, object]:
    """The sizes of the layer."""
    made = facts.value(node)
    if not made.known or made.value.ref != "torch.nn.Linear" or not isinstance(made.value.items, dict):
        return {}
    given = made.value.items
    places = {"inputs": ("in_features", "0"), "outputs": ("out_features", "1")}
    found = {name: given.get(keyword) or given.get(place) for name, (keyword, place) in places.items()}
    return {name: value.const for name, value in found.items() if value is not None and value.const}


BENCH = Bench(
    before=BEFORE,
    by_hand=BY_HAND,
    arrange=arrange,
    parameters={
        "rows": Size(4096, small=3, most=1 << 20, shrinks=True),
        "inputs": Size(4096, small=1 << 17, most=1 << 17),
        "outputs": Size(4095, small=1 << 18, most=1 << 18),
        "dtype": Choice("bfloat16", ("float16", "bfloat16")),
    },
    at=at,
    sweep=({"inputs": 1024, "outputs": 50257}, {"outputs": 4096}),
)
