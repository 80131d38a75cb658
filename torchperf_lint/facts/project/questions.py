"""What was asked of other files, and what these told: packed, as nobody unpacks it before one of them has changed."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from typing import Any, Final

FACE: Final = ""
"""What is asked of a file whose outline somebody has: all of it but the bodies of functions."""
LARGEST: Final = 50_000_000
"""Characters; so much was never asked."""


class Questions:
    """By file, the questions, each with a digest of what the file told."""

    __slots__ = ("_files", "_packed", "room")

    def __init__(self, files: dict[str, dict[str, str]] | None = None, room: int = 0, packed: str = "") -> None:
        self._files = files
        self._packed = packed
        self.room = room
        """So many steps more might have been taken for the answers before the linted file would have been given up."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Questions) and (self.room, self.files) == (other.room, other.files)

    def __hash__(self) -> int:
        return hash(self.room)

    @property
    def files(self) -> dict[str, dict[str, str]]:
        """A `ValueError` where what was packed shows no questions."""
        if self._files is None:
            self._files = _unpacked(self._packed)
        return self._files

    def to_plain(self) -> list[Any]:
        if not self._packed:
            plain = json.dumps(self._files, separators=(",", ":")).encode("ascii")
            self._packed = b64encode(zlib.compress(plain, 1)).decode("ascii")
        return [self.room, self._packed]

    @classmethod
    def from_plain(cls, plain: list[Any]) -> Questions:
        """What a plain form shows; a `TypeError` or `ValueError` where it shows none."""
        room, packed = plain
        if not isinstance(packed, str):
            raise TypeError("no questions")
        return cls(None, int(room), packed)


def _unpacked(packed: str) -> dict[str, dict[str, str]]:
    inflate = zlib.decompressobj()
    try:
        found = json.loads(inflate.decompress(b64decode(packed), LARGEST))
    except zlib.error as error:
        raise ValueError(str(error)) from error
    texts = (text for path, asked in found.items() for pair in asked.items() for text in (path, *pair))
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("no questions")
    return {path: dict(asked) for path, asked in found.items()}
