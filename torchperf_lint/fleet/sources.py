"""What a unit names, as folders: a folder stays where it is, the others are written into one of ours.

Only what a lint looks at is written: code and settings, as new regular files under names that are checked, of bounded
sizes. No link, no name that leads elsewhere, nothing that runs.
"""

from __future__ import annotations

import errno
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Final

from torchperf_lint.config import requirements
from torchperf_lint.disk.archives import contents, is_archive
from torchperf_lint.disk.parquet import ENDINGS, files_of, is_url, parquet_file
from torchperf_lint.disk.read import LARGEST, UnfitFileError
from torchperf_lint.disk.write import create
from torchperf_lint.files.discover import SUFFIXES
from torchperf_lint.fleet import dataset
from torchperf_lint.fleet.git import Revision, git_folder
from torchperf_lint.fleet.unit import Unit

SETTINGS: Final = frozenset(("pyproject.toml", "torchperf-lint.toml", ".gitignore"))
"""What is looked at besides code."""
MOST_BYTES: Final = 1_000_000_000
MOST_FILES: Final = 100_000
"""What one unit may put on the disk."""
LONGEST_NAME: Final = 200
DEEPEST: Final = 60
"""Folders in each other: to remove them again takes an open file each."""
_ODD: Final = re.compile(r'[\x00-\x1f\\:*?"<>|]' if sys.platform == "win32" else "\0")

_NAMES: Final = (errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL)
"""What a file system says of a name that it does not take: of more bytes, or of others."""


class NoRoomError(Exception):
    """What is read cannot be written down: nobody's fault but the disk's."""


@dataclass
class Repository:
    """A repository, or what there is of it, in a folder of its own."""

    name: str
    folder: Path
    revision: str | None = None
    skipped: list[tuple[str, str]] = field(default_factory=list)
    """Files that are not there, and why."""

    def to_plain(self) -> dict[str, Any]:
        return {"name": self.name, "folder": str(self.folder), "revision": self.revision, "skipped": self.skipped}


class Space:
    """The folder of a unit, and how much may still go into it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._bytes, self._files, self._made = MOST_BYTES, MOST_FILES, 0

    def repository(self, name: str, revision: str | None = None, *, is_repository: bool) -> Repository:
        """An empty folder for one; `.gitignore` counts in repositories alone, and their top is where `.git` is."""
        folder = self.folder / str(self._made)
        self._made += 1
        (folder / ".git" if is_repository else folder).mkdir(parents=True)
        return Repository(name, folder, revision)

    def fill(self, repository: Repository, files: Iterable[tuple[str, bytes | str]]) -> None:
        for name, content in files:
            problem = content if isinstance(content, str) else self._written(repository.folder, name, content)
            if problem is not None:
                repository.skipped.append((name, problem))

    def _written(self, folder: Path, name: str, content: bytes) -> str | None:
        """Write a file; in words why not."""
        below = PurePosixPath(name)
        if _ODD.search(name) or below.is_absolute() or ".." in below.parts or not below.parts:
            return "not read: its name leads elsewhere"
        if len(name) > 10 * LONGEST_NAME or any(len(part) > LONGEST_NAME for part in below.parts):
            return "not read: its name is too long"
        if len(below.parts) > DEEPEST:
            return "not read: it lies too deep"
        self._bytes -= len(content)
        self._files -= 1
        if self._bytes < 0 or self._files < 0:
            raise UnfitFileError(f"more than {MOST_BYTES:,} bytes or {MOST_FILES:,} files of code")
        path = folder / below
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            create(path, content)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            return "not read: another file has its name"
        except UnicodeEncodeError:
            return "not read: no file can have its name here"
        except OSError as error:
            if error.errno in _NAMES:
                return "not read: no file can have its name here"
            raise NoRoomError(error.strerror) from None
        return None


def repositories(unit: Unit, folder: Path) -> list[Repository]:
    """What a unit names; an `OSError` says in words why it names nothing."""
    space = Space(folder)
    if unit.rows is not None:
        return _of_rows(unit, space)
    path = Path(unit.place)
    if path.is_dir():
        if git_folder(path) == path:
            raise UnfitFileError("a bare repository: say which revision, as in `name.git@main`")
        return [Repository(unit.line, path)]
    if path.is_file() and is_archive(path):
        made = space.repository(unit.line, is_repository=False)
        space.fill(made, contents(path, is_wanted, LARGEST))
        return [made]
    if is_url(unit.place) or unit.place.endswith(ENDINGS):
        for each in files_of(unit.place):
            dataset.ranges(each)  # what is wrong there was not said when it was cut
        raise UnfitFileError("a data set without rows")
    before, at, revision = unit.line.rpartition("@")
    here = Path(unit.place[: -len(at + revision)]) if at else path
    if at and (git := git_folder(here)) is not None:
        return [_of_git(before, git, revision, space)]
    raise UnfitFileError(_names_nothing(path, here, has_revision=bool(at)))


def is_wanted(name: str) -> bool:
    """Whether a lint looks at files of such a name."""
    return name.endswith(SUFFIXES) or name.rpartition("/")[2] in SETTINGS or requirements.may_say(name)


def _names_nothing(path: Path, before: Path, *, has_revision: bool) -> str:
    if path.exists():
        return "neither a folder, a git repository with a revision, an archive nor a data set"
    if has_revision and before.is_dir():
        return "a folder that is no git repository has no revisions"
    return "nothing is there"


def _of_git(name: str, git: Path, revision: str, space: Space) -> Repository:
    found = Revision(git, revision, space.folder / "own.git")
    made = space.repository(name, found.commit, is_repository=True)
    space.fill(made, found.files(is_wanted, LARGEST))
    return made


def _of_rows(unit: Unit, space: Space) -> list[Repository]:
    made: dict[str, Repository] = {}
    for name, path, content in _files(unit):
        if name not in made:
            made[name] = space.repository(name, is_repository=True)
        if is_wanted(path):
            space.fill(made[name], [(path, content)])
    return list(made.values())


def _files(unit: Unit) -> Iterator[tuple[str, str, bytes]]:
    assert unit.rows is not None
    with parquet_file(unit.place) as file:
        yield from dataset.files(file, *unit.rows)
