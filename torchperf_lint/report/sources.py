"""The texts that findings speak of, read again when a report shows a line of them.

Best effort: a file that has gone or changed meanwhile costs a snippet, not the report.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from torchperf_lint.disk.read import read_file
from torchperf_lint.syntax.encoding import decode
from torchperf_lint.syntax.source import Source

if TYPE_CHECKING:
    from pathlib import Path


class Sources:
    """Texts by the paths of findings."""

    def __init__(self, root: Path, given: dict[str, bytes] | None = None) -> None:
        self.root = root
        self.given = given or {}
        """What is not on the disk: the standard input."""
        self.of = lru_cache(maxsize=16)(self._of)

    def data(self, path: str) -> bytes | None:
        """The bytes of a file; None where there are none."""
        try:
            return self.given[path] if path in self.given else read_file(self.root / path)
        except OSError:
            return None

    def _of(self, path: str, cell: int | None = None) -> Source | None:
        """The text of a file or of one cell of a notebook; None where there is none."""
        try:
            data = self.given[path] if path in self.given else read_file(self.root / path)
            if cell is None:
                return Source(decode(data).text, path)
            from torchperf_lint.files import notebook

            return Source(notebook.read(data).cell(cell), path)
        except (OSError, ValueError, LookupError):
            return None
