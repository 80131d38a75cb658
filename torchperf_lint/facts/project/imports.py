"""Which file of a project an import means, and what an answer stands on that came of such files.

Files next to the importing one, in its package, or in a folder above it up to the root, or to the folder of packages
that the root is in; never an installed package.
Looks at names alone, and each folder is listed once, so that asking whether an old answer still holds costs little.
Knows nothing of what is in the files that are imported.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from torchperf_lint.facts.project.packaged import is_made_to_be_installed
from torchperf_lint.facts.project.questions import Questions

if TYPE_CHECKING:
    from torchperf_lint.facts.project.index import Index

UP: Final = 6
"""So many folders above a file are looked into."""
LARGEST: Final = 1_000_000
"""Bytes; a larger file is data or was generated, and is read by nobody who imports it."""
INIT: Final = "__init__.py"


IsLike = Callable[[str, "str | None"], bool]
"""Whether a file has a content like one that it had."""
Tells = Callable[[Path, str], bool]
"""Whether a file, as it is now, tells one at a path what it told that before."""
Again = Callable[[Questions, Path, str], bool]
"""The same, for what was asked."""


@dataclass(slots=True)
class Reads:
    """What was asked of the project for one file: the answer holds as long as all of it would be answered the same."""

    name: str = ""
    """The dotted name of the file itself, on which relative imports depend; empty where nobody asked."""
    absent: set[str] = field(default_factory=set)
    """First parts of names of which the project has no trace: those of installed packages."""
    found: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    """Names with the file each means and its content, as `contents` names it; an empty path for no file."""
    asked: Questions | None = None
    """What was asked of files, by the callers too: `FACE`, a word behind a colon that one does not bind, whether it says or calls
    something, or a question to the interpreter. One that tells the same is as good as it was; on all of one that is missing what
    was found stands, and on all of each where this is None."""
    callers: CallersRead | None = None
    """What was asked about the files that may call what this one defines; None where nobody asked."""

    def to_plain(self) -> dict[str, Any]:
        plain: dict[str, Any] = {"name": self.name, "absent": sorted(self.absent)}
        plain["found"] = dict(sorted(self.found.items()))
        if self.asked is not None:
            plain["asked"] = self.asked.to_plain()
        return plain if self.callers is None else {**plain, "callers": self.callers.to_plain()}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Reads:
        """What a plain form shows; a `KeyError`, `TypeError` or `ValueError` where it shows none."""
        found = {name: (path, of) for name, (path, of) in plain["found"].items()}
        texts = (plain["name"], *plain["absent"], *(path for path, _ in found.values()))
        digests = (of for _, of in found.values() if of is not None)
        if not isinstance(plain["absent"], list) or not all(isinstance(each, str) for each in (*texts, *digests)):
            raise TypeError("not what was asked of a project")
        callers = CallersRead.from_plain(plain["callers"]) if "callers" in plain else None
        asked = Questions.from_plain(plain["asked"]) if "asked" in plain else None
        return cls(plain["name"], set(plain["absent"]), found, asked, callers)

    def hold(
        self,
        path: Path,
        imports: Imports,
        is_like: IsLike,
        index: Callable[[], Index] | None = None,
        again: Again = lambda *_: False,
    ) -> bool:
        """Whether all is as it was, for a file, in a project whose files have contents like those that they had, or tell the same
        when they are asked again."""
        tells: Tells = partial(again, self.asked) if self.asked is not None else lambda *_: False
        if self.callers is not None and not (index is not None and self.callers.hold(imports, is_like, index(), tells)):
            return False
        return self.hold_alone(path, imports, is_like, tells)

    def hold_alone(self, path: Path, imports: Imports, is_like: IsLike, tells: Tells) -> bool:
        """The same, callers aside."""
        view, near = imports.seen_from(path.parent), str(path)
        return (
            self.name in ("", imports.name_of(path))
            and not any(view.has_trace(first) for first in self.absent)
            and all(view.find(name, near) == found for name, (found, _) in self.found.items())
            and all(tells(path, found) for found in self._changed(is_like))
        )

    def add(self, other: Reads) -> None:
        """What is found stands on what was asked for another reason as well."""
        self.name = other.name
        self.absent |= other.absent
        self.found |= other.found

    def mean_the_same(self, imports: Imports, near: Path, path: Path) -> bool:
        """Whether all names mean in one file what they mean in another, which asked."""
        here, there = imports.seen_from(near.parent), imports.seen_from(path.parent)
        return here is there or (
            not any(here.has_trace(first) for first in self.absent)
            and all(here.place(name) == there.place(name) for name in self.found)
        )

    def _changed(self, is_like: IsLike) -> list[str]:
        return sorted({found for found, content in self.found.values() if found and not is_like(found, content)})


@dataclass(slots=True)
class CallersRead:
    """What was asked about the callers of a file: who they may be, and what their files read in turn."""

    index: str = ""
    """A digest of the index that was asked: while it is the same, so are its answers."""
    asked: dict[str, str] = field(default_factory=dict)
    """By question, a digest of the answer."""
    files: dict[str, tuple[str | None, Reads]] = field(default_factory=dict)
    """The files that were looked into, with the content of each, and what it read."""

    def to_plain(self) -> dict[str, Any]:
        files = {path: [of, reads.to_plain()] for path, (of, reads) in sorted(self.files.items())}
        return {"index": self.index, "asked": dict(sorted(self.asked.items())), "files": files}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> CallersRead:
        """What a plain form shows; as `Reads.from_plain`, and no file of it has callers of its own."""
        files = {path: (of, Reads.from_plain(reads)) for path, (of, reads) in plain["files"].items()}
        texts = (plain["index"], *plain["asked"], *plain["asked"].values(), *files)
        known = all(of is None or isinstance(of, str) for of, _ in files.values())
        if not known or not all(isinstance(each, str) for each in texts):
            raise TypeError("not what was asked about callers")
        if any(reads.callers is not None for _, reads in files.values()):
            raise ValueError("callers of callers stand with the rest")
        return cls(plain["index"], dict(plain["asked"]), files)

    def hold(self, imports: Imports, is_like: IsLike, index: Index, tells: Tells) -> bool:
        """Whether the same files may call, and are what they were."""
        if self.index != index.digest and any(index.answer(each) != was for each, was in self.asked.items()):
            return False
        return all(
            is_like(path, of) and reads.hold_alone(Path(path), imports, is_like, tells)
            for path, (of, reads) in self.files.items()
        )


class Home(NamedTuple):
    """Where a file imports from."""

    view: View
    parts: list[str]
    """Of its own dotted name."""
    is_package: bool


class Imports:
    """The names of a project's modules, as they are while this lives."""

    def __init__(self, root: Path) -> None:
        self.entries = lru_cache(maxsize=None)(_entries)
        """What a folder holds."""
        self._top = root.absolute()
        """The highest folder that is looked into: the root, or, where that is a package itself, the folder of packages."""
        while INIT in self.entries(str(self._top)) and self._top != self._top.parent:
            self._top = self._top.parent
        self._views: dict[Path, View] = {}
        self._packages: dict[Path, list[str]] = {}
        """The packages that a folder is, from the outermost."""
        self._homes: dict[str, Home] = {}
        self._root = root.absolute()

    @cached_property
    def is_packaged(self) -> bool:
        """Whether a project is made to be installed, or is a package: anybody may use what it defines."""
        return self._top != self._root or is_made_to_be_installed(self._top, self.entries(str(self._top)))

    def name_of(self, path: Path) -> str:
        """The dotted name under which a file is imported: its packages, as far as they have an `__init__.py`."""
        packages = self._packages_of(path.parent)
        return ".".join(packages if path.stem == "__init__" else [*packages, path.stem])

    def _packages_of(self, folder: Path) -> list[str]:
        if folder not in self._packages:
            is_one = INIT in self.entries(str(folder)) and folder != folder.parent
            self._packages[folder] = [*self._packages_of(folder.parent), folder.name] if is_one else []
        return self._packages[folder]

    def home_of(self, path: str) -> Home:
        """Where a file imports from; each is asked about many names."""
        found = self._homes.get(path)
        if found is None:
            at = Path(path)
            parts = self.name_of(at).split(".")
            found = self._homes[path] = Home(self.seen_from(at.parent), parts, at.name == INIT)
        return found

    def place_of(self, path: Path) -> tuple[str | None, str]:
        """The folder of a file, None for the one at the top, and its own name, without endings."""
        return None if path.parent == self._top else path.parent.name, path.stem

    def seen_from(self, folder: Path) -> View:
        """What names mean in the files of a folder."""
        if folder not in self._views:
            self._views[folder] = self._view(folder)
        return self._views[folder]

    def _view(self, folder: Path) -> View:
        folders = [folder]
        while len(folders) < UP and folders[-1] not in (self._top, folders[-1].parent):
            folders.append(folders[-1].parent)
        return View(tuple(map(str, folders)), self.entries)


class View:
    """What the names in imports mean in the files of one folder.

    Paths are texts here: a run in which nothing changed asks tens of thousands of times, and `Path` is slow to make and compare.
    """

    def __init__(self, folders: tuple[str, ...], entries: Callable[[str], frozenset[str]]) -> None:
        self._folders = folders
        """Where an import looks, one after the other."""
        self._entries = entries
        self._places: dict[str, str] = {}
        self._traces: dict[str, bool] = {}

    def has_trace(self, first: str) -> bool:
        """Whether any import that begins with a name can mean a file of the project."""
        known = self._traces.get(first)
        if known is None:
            entries = map(self._entries, self._folders)
            known = self._traces[first] = any(first in names or f"{first}.py" in names for names in entries)
        return known

    def find(self, name: str, near: str) -> str:
        """The file that `import name` reads in a file; empty for that file itself, and where it reads none."""
        found = self.place(name)
        return "" if found == near else found

    def place(self, name: str) -> str:
        """The same for any file of the folder."""
        found = self._places.get(name)
        if found is None:
            found = self._places[name] = self._search(name)
        return found

    def _search(self, name: str) -> str:
        *packages, last = name.split(".")
        if not self.has_trace(packages[0] if packages else last):
            return ""
        for folder in self._folders:
            inside = self._below(folder, packages)
            if inside and f"{last}.py" in self._entries(inside):
                return _in(inside, f"{last}.py")
            if inside and last in self._entries(inside) and INIT in self._entries(_in(inside, last)):
                return _in(_in(inside, last), INIT)
        return ""

    def _below(self, folder: str, packages: list[str]) -> str:
        """The folder of a package in a folder, empty where there is none; each is listed once, for looking a file up takes longer."""
        for package in packages:
            if package not in self._entries(folder):
                return ""
            folder = _in(folder, package)
        return folder


def _in(folder: str, name: str) -> str:
    """A name in a folder; the folder may be the top of the disk."""
    return folder + name if folder.endswith(os.sep) else f"{folder}{os.sep}{name}"


def _entries(folder: str) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder))  # noqa: PTH208 - names are all that is wanted
    except OSError:
        return frozenset()


def absolute(name: str, home: list[str], *, is_package: bool) -> str:
    """A dotted name that may start with dots, as seen from a module."""
    rest = name.lstrip(".")
    level = len(name) - len(rest)
    if not level:
        return name
    base = home[: len(home) - level + (1 if is_package else 0)]
    return ".".join([*base, *([rest] if rest else [])])
