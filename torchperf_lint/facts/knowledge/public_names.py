"""One public name for what several dotted names stand for.

`schemas.json` holds what could be generated: every class and function of torch that a private module defines and a
public one offers. Here is what torch itself does not tell: other libraries, old names and new ones.
"""

from __future__ import annotations

from typing import Final

PREFIXES: Final[dict[str, str]] = {
    "lightning.Callback": "lightning.pytorch.Callback",
    "lightning.LightningDataModule": "lightning.pytorch.LightningDataModule",
    "lightning.LightningModule": "lightning.pytorch.LightningModule",
    "lightning.Trainer": "lightning.pytorch.Trainer",
    "lightning.pytorch.core.LightningDataModule": "lightning.pytorch.LightningDataModule",
    "lightning.pytorch.core.LightningModule": "lightning.pytorch.LightningModule",
    "lightning.pytorch.core.lightning.LightningModule": "lightning.pytorch.LightningModule",
    "lightning.pytorch.core.module.LightningModule": "lightning.pytorch.LightningModule",
    "lightning.seed_everything": "lightning.pytorch.seed_everything",
    "lightning_fabric": "lightning.fabric",
    "pytorch_lightning": "lightning.pytorch",
    "torch._C._VariableFunctions": "torch",
    "torch._C._nn": "torch.nn.functional",
    "torch._VF": "torch",
    "torch._tensor": "torch",
    "torch.distributed.distributed_c10d": "torch.distributed",
    "torch.distributed.fsdp.fully_sharded_data_parallel": "torch.distributed.fsdp",
    "torch.nn.utils.clip_grad_norm": "torch.nn.utils.clip_grad_norm_",
    "torch.optim.lr_scheduler._LRScheduler": "torch.optim.lr_scheduler.LRScheduler",
}
"""A dotted name, or the beginning of one, and what it is called here."""


def canonical(name: str, generated: dict[str, str]) -> str:
    """The public name; the longest known beginning is replaced until none is known."""
    for _ in range(4):
        renamed = _rename(name, generated)
        if renamed == name:
            break
        name = renamed
    return name


def _rename(name: str, generated: dict[str, str]) -> str:
    head, rest = name, ""
    while head:
        known = PREFIXES.get(head) or generated.get(head)
        if known is not None:
            return known + rest
        head, dot, last = head.rpartition(".")
        rest = f"{dot}{last}{rest}"
    return name
