"""A tensor that grows in a loop: many small parts, joined one after the other or once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch


def run(parts, turns: int, device: torch.device):
    found = torch.zeros(0, parts[0].shape[1], device=device)
    for turn in range(turns):
        found = torch.cat([found, parts[turn] * 2])
    return found
"""


def arrange(stage: Stage, *, turns: int, rows: int, columns: int) -> tuple[Any, ...]:
    import torch

    return [torch.randn(rows, columns).to(stage.device) for _ in range(turns)], turns, stage.device


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={
        "turns": Size(200, small=6, most=10_000, shrinks=True),
        "rows": Size(64, least=0, most=1 << 20, shrinks=True),
        "columns": Size(256, most=1 << 16),
    },
    needs_cuda=False,
    sweep=({"turns": 20, "rows": 1}, {"turns": 1000, "rows": 8}),
)
