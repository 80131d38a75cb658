"""A policy that is sampled from: with checks of all arguments, and without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
from torch import nn
from torch.distributions import Normal


class Policy(nn.Module):
    def forward(self, mean: torch.Tensor, std: torch.Tensor):
        actions = Normal(mean, std)
        return actions.log_prob(mean + std)


def run(policy, mean, std):
    return policy(mean, std)
"""


def arrange(stage: Stage, *, batch: int, actions: int) -> tuple[Any, ...]:
    import torch

    mean = torch.randn(batch, actions, device=stage.device)
    return stage.program.Policy(), mean, mean.exp()


BENCH = Bench(
    before=BEFORE,
    arrange=arrange,
    parameters={"batch": Size(4096, small=4, most=1 << 20, shrinks=True), "actions": Size(8, small=2, most=1 << 12)},
    needs_cuda=False,
    adverse=False,
)
