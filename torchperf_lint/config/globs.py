"""Patterns as `.gitignore` writes them, for every setting that names files.

Knows nothing of folders on the disk: a path is text, relative to where the patterns hold.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class Globs:
    """A list of patterns; of those that match a path the last decides."""

    def __init__(self, patterns: tuple[str, ...]) -> None:
        self.patterns = patterns

    def match(self, path: str, *, folder: bool = False) -> bool:
        """Whether a path is covered, itself or by a folder that it lies in."""
        return self.verdict(path, folder=folder) is True

    def verdict(self, path: str, *, folder: bool = False) -> bool | None:
        """True: covered; False: a pattern with `!` takes it out again; None: no pattern speaks of it."""
        if not self.patterns:
            return None
        return _compiled(self.patterns).check_file(path.lstrip("/") + ("/" if folder else "")).include


@cache
def _compiled(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(pattern for pattern in patterns if is_pattern(pattern))


def is_pattern(text: str) -> bool:
    """Whether a line says anything that can be matched: `[z-a]` does not."""
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([text])
    except (ValueError, re.error):
        return False
    return True
