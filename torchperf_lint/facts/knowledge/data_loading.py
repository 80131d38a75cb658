"""`torch.utils.data`: what a loader is told, and datasets that show others. Data (torch 2.13)."""

from __future__ import annotations

from typing import Final

LOADER: Final = "torch.utils.data.DataLoader"
PLACES: Final = (
    "dataset", "batch_size", "shuffle", "sampler", "batch_sampler", "num_workers", "collate_fn", "pin_memory", "drop_last",
)  # fmt: skip
"""The arguments that it takes by their places."""
TENSORS: Final = "torch.utils.data.TensorDataset"
"""A dataset of the rows of some tensors."""
PART: Final = "torch.utils.data.Subset"
"""What `random_split` gives several of."""
SHOWING: Final = ("Subset", "ConcatDataset", "random_split")
"""Datasets that give the items of others."""
