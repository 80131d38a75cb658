"""Paths as given on the command line -> the files to lint, in a stable order.

Looks at names alone and opens nothing but `.gitignore`. What is named explicitly is taken, whatever the patterns say,
unless `force-exclude`; what is found on the way must be a `.py` or `.ipynb` that no pattern leaves out. Folders that
are links are not entered, so no loop of links can be.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from torchperf_lint.config.config import absolute
from torchperf_lint.config.globs import Globs
from torchperf_lint.files.gitignore import GitIgnore
from torchperf_lint.model.failure import Failure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from torchperf_lint.config.config import Config

SUFFIXES: Final = (".py", ".ipynb")
STUB: Final = ".pyi"
EVERY_FILE: Final = "TORCHPERF_LINT_EVERY_FILE"
"""The environment variable that sends every file through the whole pipeline, whatever it mentions."""


@dataclass(frozen=True, slots=True)
class Discovered:
    """The files to lint, by absolute path, and what stood in the way."""

    files: tuple[str, ...]
    failures: tuple[Failure, ...]


def discover(paths: Iterable[str], config: Config) -> Discovered:
    """All files that the paths stand for."""
    walk = _Walk(config)
    for path in paths:
        walk.start(absolute(path))
    return Discovered(tuple(sorted(walk.distinct())), tuple(sorted(walk.failures)))


def is_left_out(path: Path, config: Config) -> bool:
    """Whether patterns leave out a path though it is named, as `force-exclude` has it."""
    return _Walk(config).forced_out(path, folder=False)


def mentions_torch(data: bytes) -> bool:
    """Whether a file can concern the linter at all; the cheapest question there is, and it answers for most files."""
    return b"torch" in data or bool(os.environ.get(EVERY_FILE))


class _Excludes:
    """`exclude` and `extend-exclude`: patterns without a slash look at names, the others at paths from the root."""

    def __init__(self, config: Config) -> None:
        patterns = (*config.exclude, *config.extend_exclude)
        plain = {pattern.rstrip("/") for pattern in patterns}
        self.names = {pattern for pattern in plain if not set(pattern) & set("*?[!/\\#")}
        rest = [pattern for pattern in patterns if pattern.rstrip("/") not in self.names]
        self.by_name = Globs(tuple(pattern for pattern in rest if "/" not in pattern.rstrip("/")))
        self.by_path = Globs(tuple(pattern for pattern in rest if "/" in pattern.rstrip("/")))
        self.config = config

    def name(self, name: str, *, folder: bool) -> bool:
        return name in self.names or self.by_name.match(name, folder=folder)

    def path(self, path: str, *, folder: bool) -> bool:
        below = _below(path, str(self.config.root)).replace(os.sep, "/")
        return bool(self.by_path.patterns) and self.by_path.match(below, folder=folder)

    def anywhere(self, path: Path, *, folder: bool) -> bool:
        """Whether a path is left out by its own name or by any folder between it and the root."""
        root = self.config.root
        parts = path.relative_to(root).parts if path.is_relative_to(root) else (path.name,)
        return any(self.name(part, folder=True) for part in parts) or self.path(str(path), folder=folder)


@dataclass
class _Walk:
    config: Config
    files: dict[str, bool] = field(default_factory=dict)
    """Every file found, and whether it is a link."""
    failures: list[Failure] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.excludes = _Excludes(self.config)

    def start(self, path: Path) -> None:
        """Take a path that was named."""
        try:
            mode = path.stat().st_mode
        except OSError as error:
            self._fail(str(path), error)
            return
        if self.config.force_exclude and self.forced_out(path, folder=stat.S_ISDIR(mode)):
            return
        if stat.S_ISDIR(mode):
            self._folders(path)
        elif not stat.S_ISREG(mode):
            self.failures.append(Failure(self._reported(str(path)), "not a regular file"))
        elif path.suffix != STUB:
            self.files[str(path)] = path.is_symlink()

    def distinct(self) -> Iterator[str]:
        """The files without the links to files that are there themselves: two names must not be fixed at once."""
        real = {path for path, link in self.files.items() if not link}
        for path, link in sorted(self.files.items()):
            if not link:
                yield path
            elif (target := os.path.realpath(path)) not in real:
                real.add(target)
                yield path

    def forced_out(self, path: Path, *, folder: bool) -> bool:
        ignored = self.config.gitignore and GitIgnore.above(path).ignores_with_parents(path, folder=folder)
        return ignored or self.excludes.anywhere(path, folder=folder)

    def _folders(self, top: Path) -> None:
        above = GitIgnore.above(top) if self.config.gitignore else None
        if above is not None and above.ignores_with_parents(top, folder=True):
            above = GitIgnore()
        by_path = not self.excludes.path(str(top), folder=True)
        pending = [(str(top), above)]
        while pending:
            folder, outer = pending.pop()
            ignore = outer.entered(folder) if outer is not None else None
            for entry in self._entries(folder):
                is_folder = _is_folder(entry)
                if not is_folder and not (entry.name.endswith(SUFFIXES) and _is_file(entry)):
                    continue
                if self._left_out(entry, ignore, folder=is_folder, by_path=by_path):
                    continue
                if is_folder:
                    pending.append((entry.path, ignore))
                else:
                    self.files.setdefault(entry.path, entry.is_symlink())

    def _left_out(self, entry: os.DirEntry[str], ignore: GitIgnore | None, *, folder: bool, by_path: bool) -> bool:
        return (
            self.excludes.name(entry.name, folder=folder)
            or (by_path and self.excludes.path(entry.path, folder=folder))
            or (ignore is not None and ignore.ignores(entry.path, folder=folder))
        )

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                return list(entries)
        except FileNotFoundError:
            return []
        except OSError as error:
            self._fail(folder, error)
            return []

    def _fail(self, path: str, error: OSError) -> None:
        self.failures.append(Failure(self._reported(path), error.strerror or str(error)))

    def _reported(self, path: str) -> str:
        return _below(path, str(self.config.root)).replace(os.sep, "/")


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False


def _below(path: str, root: str) -> str:
    """A path relative to a folder that it lies in, else as it is."""
    prefix = root if root.endswith(os.sep) else root + os.sep
    return path[len(prefix) :] if path.startswith(prefix) else path
