"""A copy of the user's tree, in which a program runs: whatever it writes into its folder goes there.

What is large and holds no code is data: it is linked, not copied, and named beforehand. After each run the copy is made
what it was, so that no run finds the checkpoints of the one before. A copy is held by a lock that dies with its
process; whoever comes next sweeps what nobody holds.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from torchperf_lint.disk.remove import remove_folder
from torchperf_lint.disk.write import held, put
from torchperf_lint.model.failure import ConfigError

PREFIX: Final = "torchperf-lint-aside-"
HOLD: Final = ".held"
NEW: Final = 60
"""Seconds in which a folder is held after it was made, at the latest."""
SKIPPED: Final = frozenset(
    {".git", ".hg", ".svn", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".ipynb_checkpoints"}
)
"""Folders that no run needs: a program may make them anew."""
CODE: Final = (".py", ".pyi", ".ipynb", ".so", ".pyd", ".cu", ".cpp", ".toml", ".yaml", ".yml", ".cfg", ".sh")
DATA: Final = 64_000_000
"""Bytes from which on a file, or a folder without code, is data."""
LARGEST: Final = 1_000_000_000
"""Bytes that are copied at the most."""


@dataclass
class Aside:
    """A tree aside of the original."""

    original: Path
    folder: Path
    """The copy."""
    linked: list[Path] = field(default_factory=list)
    """What is data: links in the copy lead to the original."""
    changed: dict[Path, bytes] = field(default_factory=dict)
    """Files that differ from the original, by their path in the tree."""
    _known: dict[str, tuple[int, int]] = field(default_factory=dict)

    def moved(self, path: Path) -> Path:
        """Where a path of the original is in the copy; a path outside stays."""
        return self.folder / path.relative_to(self.original) if path.is_relative_to(self.original) else path

    def beside(self, name: str) -> Path:
        """A folder that goes with the copies, also where the next run must sweep them."""
        made = self.folder.parents[1] / name
        made.mkdir()
        return made

    def become(self, changed: dict[Path, bytes]) -> None:
        """Be the original but for some files, as if nothing had run here."""
        self._restore()
        for path in self.changed.keys() - changed.keys():
            self._copy(path)
        for path, data in changed.items():
            if self.changed.get(path) != data:
                self._put(path, data)
        self.changed = dict(changed)

    def forget(self, below: Path) -> None:
        """Be without a file of the original; data stays."""
        if any(each in self.linked for each in (below, *below.parents)):
            return
        self._make_way(below)
        (self.folder / below).unlink(missing_ok=True)
        self._known.pop(str(below), None)

    def fill(self) -> None:
        """Copy the original, once; a file that goes meanwhile was not there."""
        try:
            self._fill()
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            raise ConfigError(f"{where}cannot be copied to measure aside: {error.strerror or error}") from None

    def _fill(self) -> None:
        sizes = _sizes(self.original)
        total = 0
        for path, is_folder in _entries(self.original):
            below = path.relative_to(self.original)
            if any(parent in self.linked for parent in below.parents):
                continue
            if _is_data(path, is_folder, sizes):
                self.linked.append(below)
                (self.folder / below).symlink_to(path, target_is_directory=is_folder)
            elif is_folder:
                (self.folder / below).mkdir(exist_ok=True)
            else:
                total += _size(path)
                if total > LARGEST:
                    raise ConfigError(_too_large(self.original, sizes))
                self._copy(below)

    def _copy(self, below: Path) -> None:
        source, target = self.original / below, self.folder / below
        with suppress(FileNotFoundError):
            target.unlink()
        if source.is_symlink():
            leads = Path(os.readlink(source))  # noqa: PTH115 - as it is written
            target.symlink_to(self.moved(leads) if leads.is_absolute() else leads)
        elif source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):
                shutil.copy2(source, target)
        self._note(below)

    def _put(self, below: Path, data: bytes) -> None:
        self._make_way(below)
        put(self.folder / below, data)
        self._note(below)

    def _make_way(self, below: Path) -> None:
        """Let a file lie in the copy itself: a link on its way leads out of it, to the original or elsewhere."""
        for folder in reversed(below.parents[:-1]):
            place = self.folder / folder
            entries = sorted(os.scandir(place), key=lambda each: each.name) if place.is_dir() else []
            if place.is_dir() and not place.is_symlink():
                continue
            leads = [(entry.name, os.path.realpath(entry), entry.is_dir()) for entry in entries]
            place.unlink(missing_ok=True)
            place.mkdir()
            self._known.pop(str(folder), None)
            for name, target, is_folder in leads:
                (place / name).symlink_to(target, target_is_directory=is_folder)
                self.linked.append(folder / name)
        place = self.folder / below
        if place.is_dir() and not place.is_symlink():
            remove_folder(place)
            inside = [name for name in self._known if Path(name).is_relative_to(below)]
            for name in inside:
                del self._known[name]

    def _note(self, below: Path) -> None:
        """Know a file as it is now."""
        path = self.folder / below
        if os.path.lexists(path):
            self._known[str(below)] = _state(path)
        else:
            self._known.pop(str(below), None)

    def _restore(self) -> None:
        """Take away what a run has made, and bring back what it has changed."""
        found = {str(path.relative_to(self.folder)): path for path, is_folder in _entries(self.folder) if not is_folder}
        for name, path in found.items():
            if name not in self._known and Path(name) not in self.linked:
                path.unlink(missing_ok=True)
        for name, state in list(self._known.items()):
            if name not in found or _state(found[name]) != state:
                self._again(Path(name))
        for path, is_folder in sorted(_entries(self.folder), reverse=True):
            if is_folder and not (self.original / path.relative_to(self.folder)).exists():
                with suppress(OSError):
                    path.rmdir()

    def _again(self, below: Path) -> None:
        if below in self.changed:
            self._put(below, self.changed[below])
        else:
            self._make_way(below)
            self._copy(below)


def _entries(top: Path) -> Iterator[tuple[Path, bool]]:
    """All that is in a tree, folders before what is in them; links are not followed."""
    pending = [top]
    while pending:
        folder = pending.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_folder and entry.name in SKIPPED:
                continue
            if not is_folder and not entry.is_symlink() and not entry.is_file(follow_symlinks=False):
                continue  # pipes, sockets, devices
            yield Path(entry.path), is_folder
            if is_folder and not (Path(entry.path) / "pyvenv.cfg").exists():
                pending.append(Path(entry.path))


def _state(path: Path) -> tuple[int, int]:
    status = path.lstat()
    return status.st_mtime_ns, status.st_size


def _size(path: Path) -> int:
    try:
        status = path.lstat()
    except FileNotFoundError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def _sizes(top: Path) -> dict[Path, int]:
    """The bytes below each folder; those of a folder with code count as less than nothing."""
    sizes: dict[Path, int] = {}
    coded: set[Path] = set()
    for path, is_folder in _entries(top):
        above = list(path.parents)[: len(path.relative_to(top).parts)]
        for folder in [] if is_folder else above:
            sizes[folder] = sizes.get(folder, 0) + _size(path)
        if not is_folder and path.suffix in CODE:
            coded.update(above)
    return {folder: size for folder, size in sizes.items() if folder not in coded}


def _is_data(path: Path, is_folder: bool, sizes: dict[Path, int]) -> bool:
    if is_folder:
        return (path / "pyvenv.cfg").exists() or sizes.get(path, 0) >= DATA
    return path.suffix not in CODE and _size(path) >= DATA


def _too_large(top: Path, sizes: dict[Path, int]) -> str:
    worst = sorted(((size, folder) for folder, size in sizes.items()), reverse=True)[:3]
    named = ", ".join(f"{folder.relative_to(top)} ({size / 1e6:.0f} MB)" for size, folder in worst)
    return (
        f"{top}: more than {LARGEST // 1_000_000:,} MB of code and small files would have to be copied"
        f"{f'; the largest folders: {named}' if named else ''}. Measure from a smaller folder, or keep data elsewhere."
    )


def aside(original: Path, names: Sequence[str], stack: object) -> list[Aside]:
    """Copies of a tree, which go when `stack` is left."""
    sweep()
    folder = Path(os.path.realpath(tempfile.mkdtemp(prefix=PREFIX)))
    stack.callback(shutil.rmtree, folder, ignore_errors=True)  # type: ignore[attr-defined]
    stack.enter_context(held(folder / HOLD))  # type: ignore[attr-defined]
    copies = []
    for name in names:
        copy = Aside(original, folder / name / original.name)
        copy.folder.mkdir(parents=True)
        copy.fill()
        copies.append(copy)
    return copies


def sweep() -> None:
    """Remove the copies that a killed run has left."""
    if sys.platform == "win32":  # locks are of another kind there, and temporary folders the user's own affair
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            if folder.lstat().st_uid != os.getuid() or folder.is_symlink():
                continue
            is_new = not (folder / HOLD).exists() and time.time() - folder.lstat().st_mtime < NEW
            if is_new:  # somebody is about to hold it
                continue
            with held(folder / HOLD):
                shutil.rmtree(folder, ignore_errors=True)
