"""What the nearest folder upwards has: settings, the top of a project; each folder is looked into once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Generic, TypeVar

from torchperf_lint.config.settings_file import OWN_FILE, PYPROJECT

T = TypeVar("T")


class Nearest(Generic[T]):
    """Answers of folders, each that of the nearest folder upwards that has one, up to a top where one is given."""

    def __init__(self, here: Callable[[Path], T | None], top: Path | None = None) -> None:
        self._here = here
        self._top = top
        self._known: dict[Path, T | None] = {}

    def at(self, folder: Path) -> T | None:
        """The answer at an absolute folder; None where no folder upwards has one."""
        passed, found = [], None
        for each in upwards(folder):
            if each in self._known:
                found = self._known[each]
                break
            if self._top is not None and not each.is_relative_to(self._top):
                break
            passed.append(each)
            found = self._here(each)
            if found is not None:
                break
        self._known.update(dict.fromkeys(passed, found))
        return found


def upwards(folder: Path) -> Iterator[Path]:
    """A folder and those above it. `Path.parents` makes each of them from the whole path again."""
    yield folder
    while (above := folder.parent) != folder:
        yield (folder := above)


REPOSITORY: Final = ".git"
PROJECT: Final = (OWN_FILE, PYPROJECT)
"""What lies where a project begins that is in no repository."""
INSTALLER: Final = "setup.py"
"""So does this, unless it is a module like others, in a package."""
PACKAGE: Final = "__init__.py"


def repository(folder: Path) -> Path | None:
    """A folder, if it is the top of a repository."""
    return folder if _has(folder, REPOSITORY) else None


def project(folder: Path) -> Path | None:
    """A folder, if its files say that a project begins there."""
    is_one = any(_has(folder, name) for name in PROJECT) or (_has(folder, INSTALLER) and not _has(folder, PACKAGE))
    return folder if is_one else None


def _has(folder: Path, name: str) -> bool:
    return os.path.exists(folder / name)  # noqa: PTH110 - without raising where the folder may not be searched
