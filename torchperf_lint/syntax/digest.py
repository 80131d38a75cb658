"""A name for some bytes, by their content."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final

SIZE: Final = 16
"""Bytes; a name is twice as many letters long."""


def digest(parts: Iterable[bytes]) -> str:
    """A name for some bytes."""
    total = blake2b(digest_size=SIZE)
    for part in parts:
        total.update(len(part).to_bytes(8, "big"))
        total.update(part)
    return total.hexdigest()
