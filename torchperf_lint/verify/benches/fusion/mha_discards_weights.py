"""Attention without its weights: one layer, forward and backward."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify import shown
from torchperf_lint.verify.bench import Bench, Choice, Number, Size

if TYPE_CHECKING:
    from collections.abc import Mapping

    import libcst as cst

    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width: int, heads: int, dropout: float):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads, dropout=dropout, batch_first=True)

    def forward(self, x):
        y, _ = self.attention(x, x, x)
        return x + y


def run(block, x):
    y = block(x)
    block.zero_grad()
    y.sum().backward()
    return y
"""


def arrange(
    stage: Stage, *, batch: int, sequence: int, width: int, heads: int, dropout: float, dtype: str
) -> tuple[Any, ...]:
    import torch

    with stage.device:
        block = stage.program.Block(width, heads, dropout).to(getattr(torch, dtype))
    x = torch.randn(batch, sequence, width, device=stage.device).to(getattr(torch, dtype))
    return block, x


def at(node: cst.Subscript | cst.Assign, facts: Facts) -> Mapping[str, object]:
    """Width, heads and dropout of the layer, and float32 where nothing in the file asks for less: that is torch's own."""
    import libcst as cst

    call = node.value
    made = facts.value(call.func) if isinstance(call, cst.Call) else None
    dtype = shown.precision(facts)
    if made is None or not made.known or not isinstance(made.value.items, dict):
        return dtype
    given = made.value.items
    places = {"width": ("embed_dim", "0"), "heads": ("num_heads", "1"), "dropout": ("dropout", "2")}
    found = {name: given.get(keyword) or given.get(place) for name, (keyword, place) in places.items()}
    told: dict[str, object] = {name: value.const for name, value in found.items() if value is not None and value.const}
    maker = facts.shown(made)
    for index, name in enumerate(("width", "heads")):
        argument = facts.given(maker, places[name][0], index) if isinstance(maker, cst.Call) else None
        size = facts.size(argument) if argument is not None else None
        if name not in told and size is not None and size.known:
            told[name] = size.value  # what a parameter is by default
    if isinstance(told.get("width"), int) and isinstance(told.get("heads"), int):
        return {**told, **dtype} if told["width"] % told["heads"] == 0 else dtype  # type: ignore[operator]
    return {**{name: value for name, value in told.items() if name == "dropout"}, **dtype}


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "batch": Size(8, small=2, most=4096, shrinks=True),
        "sequence": Size(1024, small=5, most=1 << 15),
        "width": Size(1024, small=1 << 14, least=8, most=1 << 14),
        "heads": Size(16, small=256, most=256),
        "dropout": Number(0.0, 0.0, 0.9),
        "dtype": Choice("bfloat16", ("float32", "float16", "bfloat16")),
    },
    at=at,
    needs_cuda=False,
    sweep=({"dtype": "float32"}, {"batch": 4, "sequence": 128, "width": 256, "heads": 8}),
)
