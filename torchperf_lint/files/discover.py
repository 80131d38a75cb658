"""Paths as given on the command line -> the files to lint, in a stable order.

Looks at names alone and opens nothing but `.gitignore`. What is named explicitly is taken, whatever the patterns say,
unless `force-exclude`; what is found on the way must be a `.py` or `.ipynb` that no pattern leaves out. Folders that
are links are not entered, so no loop of links can be.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from torchperf_lint.config.config import absolute, shown_path
from torchperf_lint.config.globs import Globs
from torchperf_lint.files.gitignore import GitIgnore
from torchperf_lint.model.failure import Failure
from torchperf_lint.syntax.encoding import UndecodableError, decode, may_declare

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from torchperf_lint.config.config import Config, Configs

SUFFIXES: Final = (".py", ".ipynb")
STUB: Final = ".pyi"
TEXTS: Final = (".md", ".rst", ".yaml", ".yml", ".json", ".toml", ".cfg", ".ini", ".sh", ".txt")
"""Files in which a project may name its own functions and classes: settings, scripts, and what it tells people."""
EVERY_FILE: Final = "TORCHPERF_LINT_EVERY_FILE"
"""The environment variable that sends every file through the whole pipeline, whatever it mentions."""


@dataclass(frozen=True, slots=True)
class Discovered:
    """The files to lint, by absolute path, and what stood in the way."""

    files: tuple[str, ...]
    failures: tuple[Failure, ...]


def discover(paths: Iterable[str], configs: Configs) -> Discovered:
    """All files that the paths stand for."""
    walk = _Walk(configs)
    for path in paths:
        walk.start(absolute(path))
    return Discovered(tuple(sorted(walk.distinct())), tuple(sorted(walk.failures)))


def files_of(config: Config, most: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files of the project of some settings, other repositories in it left out, and its texts; none where it has too many."""
    walk = _Walk(_Same(config), most)
    walk.start(config.root)
    return (tuple(sorted(walk.distinct())), tuple(sorted(walk.texts))) if len(walk.files) <= most else ((), ())


def is_left_out(path: Path, config: Config, *, folder: bool = False) -> bool:
    """Whether patterns leave out a path though it is named, as `force-exclude` has it."""
    ignored = config.gitignore and GitIgnore.above(path).ignores_with_parents(path, folder=folder)
    return ignored or _Excludes(config).anywhere(path, folder=folder)


_WORD: Final = "torch"
_IN_PIECES: Final = re.compile(r'(?:"\s*,\s*")*'.join(_WORD))
"""The word in a notebook, whose source is a list of texts that may be cut anywhere."""
_ESCAPE: Final = re.compile(r"\\u([0-9a-fA-F]{4})")
"""A letter in a notebook, escaped as JSON has it."""


def mentions_torch(data: bytes) -> bool:
    """Whether a file can concern the linter at all; the cheapest question there is, and it answers for most files."""
    if _WORD.encode() in data:
        return True
    if (data.lstrip()[:1] == b"{" or not data.isascii() or may_declare(data)) and _IN_PIECES.search(_as_read(data)):
        return True
    return bool(os.environ.get(EVERY_FILE))


def _as_read(data: bytes) -> str:
    """The text of a file whose letters may be written otherwise. Python reads names of full-width letters as if they were plain."""
    try:
        text = decode(data).text
    except UndecodableError:
        text = data.decode("utf-8", "ignore")
    if text.lstrip()[:1] == "{":
        escaped = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
        text = escaped.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")  # two escapes may be one letter
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


class _Excludes:
    """`exclude` and `extend-exclude`: patterns without a slash look at names, the others at paths from the settings."""

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
        below = _below(path, str(self.config.folder)).replace(os.sep, "/")
        return bool(self.by_path.patterns) and self.by_path.match(below, folder=folder)

    def anywhere(self, path: Path, *, folder: bool) -> bool:
        """Whether a path is left out by its own name or by any folder between it and the settings, or its project."""
        root = next((each for each in (self.config.folder, self.config.root) if path.is_relative_to(each)), None)
        parts = path.relative_to(root).parts if root is not None else path.parts
        return any(self.name(part, folder=True) for part in parts) or self.path(str(path), folder=folder)


@dataclass(frozen=True, slots=True)
class _Inside:
    """What leaves out files inside of a folder."""

    excludes: _Excludes
    by_path: bool
    """Whether patterns of paths count: not inside of a folder that they leave out and that was named."""
    ignore: GitIgnore | None

    def leaves_out(self, entry: os.DirEntry[str], *, folder: bool) -> bool:
        return (
            self.excludes.name(entry.name, folder=folder)
            or (self.by_path and self.excludes.path(entry.path, folder=folder))
            or (self.ignore is not None and self.ignore.ignores(entry.path, folder=folder))
        )


class _Same:
    """The settings of a folder, where they are the same for all."""

    def __init__(self, config: Config) -> None:
        self._config = config

    def of(self, _: Path) -> Config:
        return self._config

    def at(self, _: Path) -> Config:
        return self._config


@dataclass
class _Walk:
    configs: Configs | _Same
    most: int | None = None
    """Of one project alone, and no more than so many and a few; None: of all, however many there are."""
    files: dict[str, bool] = field(default_factory=dict)
    """Every file found, and whether it is a link."""
    texts: list[str] = field(default_factory=list)
    """The texts of one project beside its files."""
    failures: list[Failure] = field(default_factory=list)

    def start(self, path: Path) -> None:
        """Take a path that was named."""
        try:
            mode = path.stat().st_mode
        except OSError as error:
            self._fail(str(path), error)
            return
        config = self.configs.of(path)
        if config.force_exclude and is_left_out(path, config, folder=stat.S_ISDIR(mode)):
            return
        if stat.S_ISDIR(mode):
            self._folders(path)
        elif not stat.S_ISREG(mode):
            self.failures.append(Failure(shown_path(path), "not a regular file"))
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

    def _folders(self, top: Path) -> None:
        excludes = _Excludes(self.configs.at(top))
        above = GitIgnore.above(top)
        if above.ignores_with_parents(top, folder=True):
            above = GitIgnore()
        by_path = not excludes.path(str(top), folder=True)
        pending = [(str(top), _Inside(excludes, by_path, above if excludes.config.gitignore else None))]
        while pending and (self.most is None or len(self.files) <= self.most):
            folder, outer = pending.pop()
            inside = self._entered(folder, outer)
            for entry in self._entries(folder):
                is_folder = _is_folder(entry)
                if not is_folder and not (entry.name.endswith(SUFFIXES) and _is_file(entry)):
                    if self.most is not None and entry.name.endswith(TEXTS) and _is_file(entry):
                        self.texts.append(entry.path)
                    continue
                if inside.leaves_out(entry, folder=is_folder):
                    continue
                if is_folder and not (self.most is not None and os.path.exists(os.path.join(entry.path, ".git"))):  # noqa: PTH110, PTH118
                    pending.append((entry.path, inside))
                elif not is_folder:
                    self.files.setdefault(entry.path, entry.is_symlink())

    def _entered(self, folder: str, outer: _Inside) -> _Inside:
        """What leaves out files in a folder, which may have settings of its own."""
        config = self.configs.at(Path(folder))
        if config.file != outer.excludes.config.file:
            above = GitIgnore.above(Path(folder)) if config.gitignore else None
            outer = _Inside(_Excludes(config), by_path=True, ignore=above)
        return replace(outer, ignore=outer.ignore.entered(folder) if outer.ignore is not None else None)

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
        self.failures.append(Failure(shown_path(Path(path)), error.strerror or str(error)))


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
