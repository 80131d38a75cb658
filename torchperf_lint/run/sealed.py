"""What the cache keeps, as files: packed, each with a digest of itself ahead, so that damage of any kind shows."""

from __future__ import annotations

import json
import os
import zlib
from typing import Any, Final

from torchperf_lint.syntax.digest import digest

LARGEST: Final = 100_000_000
"""Bytes; no more is unpacked."""


def name_of(path: str, about: str = "") -> str:
    """The name of the file that holds what is known of another, or something about it."""
    return f"{digest([os.fsencode(path), about.encode('ascii')] if about else [os.fsencode(path)])}.json"


def sealed(entry: dict[str, Any]) -> bytes:
    body = zlib.compress(json.dumps(entry).encode("ascii"), 1)
    return f"{digest([body])}\n".encode("ascii") + body


def opened(data: bytes) -> dict[str, Any]:
    """What was sealed; a `ValueError` where it is damaged."""
    seal, _, body = data.partition(b"\n")
    if seal != digest([body]).encode("ascii"):
        raise ValueError("a damaged entry")
    try:
        entry: dict[str, Any] = json.loads(zlib.decompressobj().decompress(body, LARGEST))
    except zlib.error as error:
        raise ValueError(str(error)) from error
    return entry
