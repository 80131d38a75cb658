"""What `.gitignore` files leave out: one in every folder, from the repository's root down, the nearest speaking first.

Knows nothing of settings.
"""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from torchperf_lint.config.globs import Globs
from torchperf_lint.config.nearest import repository
from torchperf_lint.disk.read import read_file

LARGEST: Final = 5_000_000
"""Bytes; what is larger is no list that somebody keeps, and is taken for none."""


@dataclass(frozen=True, slots=True)
class GitIgnore:
    """The patterns that hold in a folder: its own and those of the folders above."""

    files: tuple[tuple[str, Globs], ...] = ()
    """Folders with their patterns, outermost first."""

    @classmethod
    def above(cls, path: Path) -> GitIgnore:
        """What holds at a path, without what stands in that very folder; nothing outside of a repository."""
        found = cls()
        if repository(path) is not None:
            return found
        upwards = list(path.parents)
        top = next((index for index, parent in enumerate(upwards) if repository(parent) is not None), None)
        for parent in reversed(upwards[: top + 1] if top is not None else []):
            found = found.entered(str(parent))
        return found

    def entered(self, folder: str) -> GitIgnore:
        """What holds inside a folder."""
        patterns = (*_lines(f"{folder}/.git/info/exclude"), *_lines(f"{folder}/.gitignore"))
        return GitIgnore((*self.files, (folder, Globs(patterns)))) if patterns else self

    def ignores(self, path: str, *, folder: bool) -> bool:
        """Whether a path is left out, where no folder above it is."""
        for base, globs in reversed(self.files):
            above = base.rstrip(os.sep) + os.sep
            if path.startswith(above):  # a folder's patterns speak of what is in it, not of itself
                verdict = globs.verdict(path[len(above) :].replace(os.sep, "/"), folder=folder)
                if verdict is not None:
                    return verdict
        return False

    def ignores_with_parents(self, path: Path, *, folder: bool) -> bool:
        """Whether a path, or a folder above it, is left out."""
        if not self.files or self.ignores(str(path), folder=folder):
            return bool(self.files)
        below = (parent for parent in path.parents if parent.is_relative_to(self.files[0][0]))
        return any(self.ignores(str(parent), folder=True) for parent in below)


def _lines(path: str) -> tuple[str, ...]:
    try:
        text = read_file(path, LARGEST).removeprefix(BOM_UTF8).decode("utf-8", "surrogateescape")
    except OSError:
        return ()
    lines = (line.removesuffix("\r") for line in text.split("\n"))
    return tuple(line for line in lines if line and not line.startswith("#"))
