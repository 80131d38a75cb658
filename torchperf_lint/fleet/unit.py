"""A unit of work: a line of the list, a slice of a large repository, or some rows of a data set.

Whatever engine runs it, on whichever machine, it is a line of JSON on the way there, and its name is made of nothing but
what the list says: so a second run knows what the first has done.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, replace
from typing import Final

from torchperf_lint.syntax.digest import digest

LARGEST: Final = 4_000_000
"""Bytes of code in a unit: a repository with more is cut into slices, and so is a data set. Seconds of work."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What is worked on at once, and written at once."""

    line: str
    """As the list has it; of a data set, the name of the file."""
    place: str
    """Where that is, absolute, or a URL."""
    rows: tuple[int, int, int] | None = None
    """Of a data set: the row group, its first row, and the row after the last."""
    slice: tuple[int, int] | None = None
    """Which slice of a repository this is, of how many, from 0 on; None: nobody has looked yet how large it is."""

    @property
    def key(self) -> str:
        """The name of its folder."""
        parts = [os.fsencode(self.line), json.dumps([self.rows, self.slice]).encode()]
        return digest(parts)

    def sliced(self, count: int) -> list[Unit]:
        """The slices of it."""
        return [replace(self, slice=(index, count)) for index in range(count)]

    def to_text(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Unit:
        plain = json.loads(text)
        rows, part = plain["rows"], plain["slice"]
        return cls(
            plain["line"],
            plain["place"],
            (rows[0], rows[1], rows[2]) if rows is not None else None,
            (part[0], part[1]) if part is not None else None,
        )
