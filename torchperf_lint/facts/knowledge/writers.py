"""What writers of TensorBoard do with the tensors that they are handed. Data."""

from __future__ import annotations

from typing import Final

METHODS: Final = frozenset(("add_scalar", "add_scalars", "add_histogram"))
"""Methods that read at once what they write down."""
