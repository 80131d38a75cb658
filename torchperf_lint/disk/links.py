"""Links that lead a name away from where it says it lies.

What a user names inside of a folder is meant to lie there; whoever wrote that folder may have put a link in its place.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def link_on_the_way(path: Path, folders: Iterable[Path]) -> Path | None:
    """The first link in a path below one of some folders, or the path itself if it is one; None where none is."""
    path = Path(os.path.abspath(path))  # noqa: PTH100 - by its text alone: links stay links
    steps = {path}
    for folder in folders:
        if path.is_relative_to(folder):
            steps |= {step for step in path.parents if step.is_relative_to(folder) and step != folder}
    return next((step for step in sorted(steps) if os.path.islink(step)), None)  # noqa: PTH114 - without raising
