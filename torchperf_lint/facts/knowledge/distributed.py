"""What torch and the libraries around it have for many GPUs: wrappers of models, collectives, frameworks. Data."""

from __future__ import annotations

from typing import Final

REPLICATED: Final = frozenset(
    ("torch.nn.parallel.DistributedDataParallel", "torch.nn.parallel.distributed.DistributedDataParallel")
)
"""Wrap a model so that each rank holds all of it, and average its gradients in the backward pass."""
SHARDED: Final = frozenset(
    (
        "torch.distributed.fsdp.FullyShardedDataParallel",
        "torch.distributed.fsdp.fully_sharded_data_parallel.FullyShardedDataParallel",
    )
)
"""Wrap a model so that each rank holds a part of its weights."""
SHARDED_IN_PLACE: Final = frozenset(
    ("torch.distributed.fsdp.fully_shard", "torch.distributed._composable.fsdp.fully_shard")
)
"""The same for the module that they are called with: nothing is wrapped."""

GROUP: Final = "torch.distributed."
"""What the names of collectives begin with."""
GLOO: Final = "gloo"
NCCL: Final = "nccl"

DRIVERS: Final = (
    "lightning", "pytorch_lightning", "accelerate", "ignite", "composer", "deepspeed", "colossalai", "catalyst", "fastai", "ray",
)  # fmt: skip
"""Packages that drive the training: they call `set_epoch`, synchronise gradients only where the optimizer steps, and wrap
models themselves, each in its own way. Where a file imports one, what it leaves out may be done for it."""
