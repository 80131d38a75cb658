"""The state of a sharded model, gathered on every GPU, and on the host of one rank: what it costs is memory of the GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchperf_lint.verify.bench import Bench, Size

if TYPE_CHECKING:
    from torchperf_lint.verify.benches.stage import Stage

BEFORE = """
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.fsdp import fully_shard


def shard(model):
    for layer in model:
        fully_shard(layer)
    fully_shard(model)
    return model


def run(models):
    options = StateDictOptions(full_state_dict=True)
    get_model_state_dict(next(iter(models)), options=options)
"""


def arrange(stage: Stage, *, width: int, depth: int) -> tuple[Any, ...]:
    return (frozenset((stage.program.shard(stage.mlp(width, depth)),)),)


BENCH = Bench(
    before=BEFORE,
    by_hand=BEFORE.replace("full_state_dict=True)", "full_state_dict=True, cpu_offload=True)"),
    arrange=arrange,
    parameters={
        "width": Size(4096, small=16, least=2, most=1 << 14, shrinks=True),
        "depth": Size(8, small=2, most=64),
    },
    adverse=False,
    ranks=2,
)
