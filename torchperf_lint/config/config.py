"""The settings of a run, decided: what the command line, the file and the defaults add up to.

Knows what every setting means and where it came from; how a file is found and checked is for `settings`, what a
selector covers for `selection`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.config import cache_folder, nearest, requirements, selection, settings_file, target
from torchperf_lint.config.globs import Globs
from torchperf_lint.config.nearest import Nearest
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.model.finding import Confidence, Safety, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from torchperf_lint.config.settings_file import SettingsFile

__all__ = ["VENDOR", "Alignment", "Config", "ConfigError", "load"]

COMMAND_LINE: Final = "the command line"
"""Where a setting was said, if not in a file."""

VENDOR: Final = (
    ".bzr", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox", ".pants.d",
    ".pyenv", ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".torchperf_lint_cache", ".tox", ".venv", ".vscode",
    "__pycache__", "__pypackages__", "_build", "build", "buck-out", "dist", "node_modules", "site-packages", "venv",
)  # fmt: skip
"""Folders that hold nobody's own code: what `exclude` is where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """From which size on a dimension that is not a multiple of 8 is worth a word."""

    linear: int = 512
    conv: int = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything that a run, the engine and the rules are told."""

    root: Path = field(default_factory=Path.cwd)
    """The project that is linted: what facts, fingerprints and baselines call a file is relative to it."""
    folder: Path = field(default_factory=Path.cwd)
    """What patterns are relative to: the folder of the settings file, else the working folder."""
    file: Path | None = None
    project_root: Path | None = None
    """The project, where the settings say which it is."""

    rules: frozenset[str] = field(default_factory=selection.chosen)
    """The codes that run; what a path leaves out is in `rules_for`."""
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    confidence: Confidence = Confidence.LIKELY
    """Findings less sure than this are not reported."""
    fail_level: Severity = Severity.WARNING

    fix: bool = False
    unsafe_fixes: bool = False

    format: tuple[tuple[str, Path | None], ...] = (("text", None),)
    """The reports wanted, each with its file; None: the output file, or the standard output."""
    sort: str | None = None
    """How reports for people are sorted: by `impact` or by `path`; None: by impact on a terminal."""
    output_file: Path | None = None

    exclude: tuple[str, ...] = VENDOR
    extend_exclude: tuple[str, ...] = ()
    gitignore: bool = True
    force_exclude: bool = False

    baseline: Path | None = None

    jobs: int | None = None
    """Processes; None: as many as there are cores for this one."""
    cache: bool = True
    cache_dir: Path | None = None

    target_torch: str = target.NEWEST
    """The oldest torch that the code is for."""
    target_gpu: str | None = None
    hot_functions: tuple[str, ...] = ()
    """Dotted names of functions that run in every step though nothing in the file says so."""
    assume_compiled: bool = False
    """Whether every `forward` is taken for compiled, as those of a library may be by who uses it."""
    sync_allowed: tuple[str, ...] = ()
    """Dotted names of functions in which waiting for the GPU is meant."""
    alignment_min_dim: Alignment = Alignment()

    debug: bool = False
    """Show where an error of the linter itself comes from; said on the command line alone."""

    origins: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Where a setting that is not the default was said, by field."""
    like: Config | None = field(default=None, compare=False, repr=False)
    """Settings of the same run that differ from these in the target alone, and were there first."""

    @property
    def of_project(self) -> Config:
        """The settings by which a run knows the project: what folders of it require is nothing that its files are read by."""
        return self.like if self.like is not None and self.like.root == self.root else self

    @property
    def allow(self) -> Safety:
        """The least safe fix that may be applied."""
        return Safety.UNSAFE if self.unsafe_fixes else Safety.SAFE

    @property
    def cache_folder(self) -> Path | None:
        """Where findings are kept; None where there is no place for them."""
        return self.cache_dir or cache_folder.users_own()

    def rules_for(self, path: str) -> frozenset[str]:
        """The codes that run on a file, by its path in the project."""
        if not self.per_file_ignores:
            return self.rules
        below = _inside(self.root / path, self.folder)
        covering = _globs(tuple(pattern.removeprefix("!") for pattern, _ in self.per_file_ignores)).covering(below)
        covers = (
            (pattern.removeprefix("!") in covering) != pattern.startswith("!") for pattern, _ in self.per_file_ignores
        )
        ignored = (codes for (_, codes), holds in zip(self.per_file_ignores, covers, strict=True) if holds)
        return self.rules.difference(*ignored)

    def in_project(self, path: Path) -> str:
        """What facts, fingerprints and baselines call a file: its path in the project, absolute outside."""
        return _inside(path, self.root)


@lru_cache(maxsize=16)
def _globs(patterns: tuple[str, ...]) -> Globs:
    return Globs(patterns)


def _inside(path: Path, folder: Path) -> str:
    return (path.relative_to(folder) if path.is_relative_to(folder) else path).as_posix()


def shown_path(path: Path) -> str:
    """A path as reports show it: relative to the working folder, absolute outside."""
    return _inside(path, Path.cwd())


def shown_in(root: Path, path: str) -> str:
    """A path in a project as reports show it; the name of a text that is in no file stays as it is."""
    return path if path.startswith("<") else shown_path(root / path)


def common_folder(paths: Iterable[str | os.PathLike[str]]) -> Path:
    """The folder that all paths share: whose settings hold for a run as a whole, in whichever order they are named."""
    folders = [path if path.is_dir() else path.parent for path in map(absolute, paths)]
    try:
        return Path(os.path.commonpath(folders or [Path.cwd()]))
    except ValueError:  # on several drives
        return Path.cwd()


def placed(shown: str) -> Path:
    """The place of a path as reports show it; the name of a text that is in no file stays a name."""
    return Path(shown) if shown.startswith("<") else absolute(shown)


class Configs:
    """The settings of each file: those of the nearest folder upwards that has some, the command line laid over them.

    Nothing above the folder `within` counts, where one is given, and no project reaches out of it.
    """

    def __init__(
        self,
        start: Path,
        line: Mapping[str, Any] | None = None,
        *,
        file: Path | None = None,
        isolated: bool = False,
        within: Path | None = None,
    ) -> None:
        self._line = line or {}
        self._isolated, self._within = isolated, within
        self._only = settings_file.read(file) if file else None
        self._settings = Nearest(settings_file.of_folder, within)
        self._repository, self._project = Nearest(nearest.repository, within), Nearest(nearest.project, within)
        self._required = Nearest(requirements.of_folder, within)
        self._folders: dict[Path, Config] = {}
        self._same: dict[tuple[Path | None, Path, tuple[str, str] | None], Config] = {}
        self._of_projects: dict[tuple[Path | None, Path], Config] = {}
        self.run = self.at(start)
        """What holds for a run as a whole: its formats, processes and cache."""

    def of(self, path: Path) -> Config:
        """The settings of a file; a text that is in no file takes those of the run."""
        return self.at(path.parent) if path.is_absolute() else self.run

    def at(self, folder: Path) -> Config:
        """The settings of the files in an absolute folder."""
        if folder not in self._folders:
            found = self._only or (None if self._isolated else self._settings.at(folder))
            root, target = self._root(folder, found), self._target(folder, found)
            key = (found.path if found else None, root, target)
            if key not in self._same:
                made = _config(found, root, self._line, target)
                first = self._of_projects.setdefault(key[:2], made)
                self._same[key] = made if first is made else replace(made, like=first)
            self._folders[folder] = self._same[key]
        return self._folders[folder]

    def _root(self, folder: Path, found: SettingsFile | None) -> Path:
        options = found.values.get("project-root") if found else None
        root: Path | None = options or self._repository.at(folder) or self._project.at(folder)
        if self._within is not None:
            return root if root is not None and root.is_relative_to(self._within) else self._within
        return root or Path.cwd()

    def _target(self, folder: Path, found: SettingsFile | None) -> tuple[str, str] | None:
        """The target where nobody says one, and why it is that: what a project needs is no setting, and is read for whoever reads
        none; None where somebody says one."""
        if "target_torch" in self._line or (found and "target-torch" in found.values):
            return None
        return self._required.at(folder) or requirements.NEWEST


def load(
    start: Path, options: Mapping[str, Any] | None = None, *, file: Path | None = None, isolated: bool = False
) -> Config:
    """The settings that hold in an absolute folder, with what the command line said laid over them by field."""
    return Configs(start, options, file=file, isolated=isolated).run


def of_text(options: Mapping[str, Any]) -> Config:
    """The settings of a text that is in no file: what is said of them, and no file is read."""
    return load(Path.cwd(), {"target_torch": target.NEWEST, **options}, isolated=True)


def _config(
    found: SettingsFile | None, root: Path, line: Mapping[str, Any], declared: tuple[str, str] | None
) -> Config:
    values = {key.replace("-", "_"): value for key, value in (found.values if found else {}).items()}
    folder = found.path.parent if found else Path.cwd()
    line = {name: _anchored(value, folder) if name.endswith("exclude") else value for name, value in line.items()}

    plain = {**values, **line}
    plain["extend_exclude"] = (*values.get("extend_exclude", ()), *line.get("extend_exclude", ()))
    origins = {name: str(found.path) for name in values if found} | dict.fromkeys(line, COMMAND_LINE)
    for name in ("ignore", "extend_select", "select"):
        if name in origins:
            origins["rules"] = origins[name]
    if declared is not None:
        plain["target_torch"], origins["target_torch"] = declared
    return Config(
        root=root,
        folder=folder,
        file=found.path if found else None,
        rules=selection.chosen((_layer(values), _layer(line))),
        origins=origins,
        **{each.name: _meant(each.name, plain[each.name]) for each in fields(Config) if each.name in plain},
    )


def _anchored(patterns: Any, folder: Path) -> Any:
    """Patterns of the command line, where they name a place, hold from where one stands and not from the settings."""
    if not isinstance(patterns, tuple) or folder == Path.cwd() or not Path.cwd().is_relative_to(folder):
        return patterns
    here = Path.cwd().relative_to(folder).as_posix()
    return tuple(f"{here}/{each.lstrip('/')}" if "/" in each.rstrip("/") else each for each in patterns)


def _layer(values: Mapping[str, Any]) -> selection.Layer:
    return selection.Layer(
        select=values.get("select"), extend_select=values.get("extend_select", ()), ignore=values.get("ignore", ())
    )


def _meant(name: str, value: Any) -> Any:
    """What a checked value is as a field."""
    match name:
        case "confidence":
            return Confidence(value)
        case "fail_level":
            return Severity[value.upper()]
        case "target_torch":
            return "{}.{}".format(*target.short(value))
        case "alignment_min_dim":
            return replace(Alignment(), **value)
        case "per_file_ignores":
            ignored = ((pattern, map(selection.meant, selectors)) for pattern, selectors in value)
            return tuple((pattern, tuple(sorted(frozenset().union(*codes)))) for pattern, codes in ignored)
    return value


def absolute(path: str | os.PathLike[str]) -> Path:
    """A path made absolute and tidied by its text alone: links stay links."""
    return Path(os.path.abspath(path))  # noqa: PTH100
