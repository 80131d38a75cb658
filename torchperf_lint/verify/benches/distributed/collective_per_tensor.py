"""Gradients that are averaged over the ranks one by one, and in one tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size
from torchperf_lint.verify.benches.stage import STEPS

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
import torch
import torch.distributed as dist
import torch.nn.functional as F


def average(model):
    for p in model.parameters():
        dist.all_reduce(p.grad)
        p.grad /= dist.get_world_size()


def run(model, optimizer, loader, device: torch.device):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        average(model)
        optimizer.step()
        optimizer.zero_grad()
    return loss.detach()
"""
_EACH = """\
    for p in model.parameters():
        dist.all_reduce(p.grad)
        p.grad /= dist.get_world_size()
"""
_TOGETHER = """\
    grads = [p.grad for p in model.parameters()]
    flat = torch.cat([g.flatten() for g in grads])
    dist.all_reduce(flat)
    flat /= dist.get_world_size()
    parts = flat.split([g.numel() for g in grads])
    torch._foreach_copy_(grads, [part.view_as(g) for part, g in zip(parts, grads)])
"""


def arrange(stage: Stage, *, batch: int, width: int, depth: int) -> tuple[Any, ...]:
    model, optimizer, _, device = stage.training(batch=batch, width=width, depth=depth)
    return model, optimizer, stage.loader(stage.own_batches(STEPS, batch, width)), device


BENCH = Bench(
    before=BEFORE,
    by_hand=BEFORE.replace(_EACH, _TOGETHER),
    arrange=arrange,
    parameters={
        "batch": Size(256, small=4, most=1 << 16, shrinks=True),
        "width": Size(512, small=16, least=2, most=1 << 14, shrinks=True),
        "depth": Size(64, small=2, most=256),
    },
    steps=STEPS,
    needs_cuda=False,
    adverse=False,
    ranks=2,
    sweep=({"batch": 1024, "width": 2048, "depth": 8},),
)
