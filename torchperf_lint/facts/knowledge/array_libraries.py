"""Libraries whose values have `.item()`, as tensors do. Data."""

from __future__ import annotations

from typing import Final

WITH_ITEM: Final = frozenset(("numpy", "jax", "tensorflow", "cupy", "paddle", "mxnet", "pandas", "polars"))
