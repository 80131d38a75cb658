"""The cache of one layer over the tokens of an answer: copied for each, and written in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
from torch import nn


class Layer(nn.Module):
    def forward(self, k: torch.Tensor, past_key: torch.Tensor):
        return torch.cat([past_key, k], dim=2)


def run(layer, prompt, key, tokens: int):
    keys = prompt
    for _ in range(tokens):
        keys = layer(key, keys)
    return keys
"""

AFTER = """
import torch
from torch import nn


class Layer(nn.Module):
    def forward(self, k: torch.Tensor, cache: torch.Tensor, at: int):
        cache[:, :, at : at + 1] = k
        return cache[:, :, : at + 1]


def run(layer, prompt, key, tokens: int):
    start = prompt.shape[2]
    cache = prompt.new_empty(*prompt.shape[:2], start + tokens, prompt.shape[3])
    cache[:, :, :start] = prompt
    for turn in range(tokens):
        keys = layer(key, cache, start + turn)
    return keys
"""


def arrange(stage: Stage, *, batch: int, heads: int, prompt: int, tokens: int, width: int) -> tuple[Any, ...]:
    import torch

    keys = torch.randn(batch, heads, prompt, width, device=stage.device, dtype=torch.bfloat16)
    return stage.program.Layer(), keys, keys[:, :, :1].clone(), tokens


BENCH = Bench(
    before=BEFORE,
    by_hand=AFTER,
    arrange=arrange,
    parameters={
        "batch": Size(8, small=1, most=1 << 10, shrinks=True),
        "heads": Size(16, small=2, most=128),
        "prompt": Size(1024, small=2, most=1 << 17, shrinks=True),
        "tokens": Size(128, small=2, most=1 << 14),
        "width": Size(128, small=4, most=512),
    },
    needs_cuda=False,
    adverse=False,
)
