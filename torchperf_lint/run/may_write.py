"""Which files a run may change: those within the paths it was given, whatever links lie there.

A link in a repository may lead anywhere, to a file of somebody else as well. A path that was given counts as what it
is called by: where that is itself a link out of the working folder, nothing behind it is changed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from torchperf_lint.config.config import COMMAND_LINE, absolute
from torchperf_lint.config.nearest import Nearest, repository

if TYPE_CHECKING:
    from torchperf_lint.config.config import Config

Areas = tuple[Path, ...]
"""Real folders and files: what is changed lies in one of them."""


def given(paths: Iterable[str]) -> Areas:
    """What may be changed of the paths that were given."""
    return tuple(area for path in paths if (area := _area(absolute(path))) is not None)


def may_write(path: str, within: Areas, config: Config) -> bool:
    """Whether what a path leads to may be changed; where a file of settings says to fix, its project is the limit too."""
    real = Path(os.path.realpath(path))
    if config.fix and config.origins.get("fix") != COMMAND_LINE and not real.is_relative_to(_project(config)):
        return False
    return any(real.is_relative_to(area) for area in within)


def _area(path: Path) -> Path | None:
    """What may be changed of a path that was given: nothing, if it is a link to somewhere else."""
    here = Path.cwd()
    base = here if path.is_relative_to(here) else path.parent
    real = Path(os.path.realpath(path))
    return real if real.is_relative_to(os.path.realpath(base)) else None


def _project(config: Config) -> Path:
    """The repository that the file of settings is in, or its folder."""
    folder = Path(os.path.realpath(config.folder))
    return Nearest(repository).at(folder) or folder
