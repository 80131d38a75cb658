"""What a line is known by: a digest of its text, so that a trace holds no code and a changed line is not mistaken."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final

SIZE: Final = 5
"""Bytes: among a million lines, the chance that two are taken for one another is one in two."""


def digest(line: str) -> str:
    """The same for a line that was only indented otherwise; of an empty line, nothing."""
    text = line.strip()
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=SIZE).hexdigest() if text else ""


def digests(lines: Iterable[str]) -> list[str]:
    return [digest(line) for line in lines]
