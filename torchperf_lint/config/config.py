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

from torchperf_lint.config import cache_folder, selection, settings_file, target
from torchperf_lint.config.globs import Globs
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.model.finding import Confidence, Safety, Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    """The folder that reported paths and patterns are relative to: that of the file, else the working folder."""
    file: Path | None = None

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
    sync_allowed: tuple[str, ...] = ()
    """Dotted names of functions in which waiting for the GPU is meant."""
    alignment_min_dim: Alignment = Alignment()

    debug: bool = False
    """Show where an error of the linter itself comes from; said on the command line alone."""

    origins: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Where a setting that is not the default was said, by field."""

    @property
    def allow(self) -> Safety:
        """The least safe fix that may be applied."""
        return Safety.UNSAFE if self.unsafe_fixes else Safety.SAFE

    @property
    def cache_folder(self) -> Path | None:
        """Where findings are kept; None where there is no place for them."""
        return self.cache_dir or cache_folder.users_own()

    def rules_for(self, path: str) -> frozenset[str]:
        """The codes that run on a file, by its path as reported."""
        if not self.per_file_ignores:
            return self.rules
        covering = _globs(tuple(pattern.removeprefix("!") for pattern, _ in self.per_file_ignores)).covering(path)
        covers = (
            (pattern.removeprefix("!") in covering) != pattern.startswith("!") for pattern, _ in self.per_file_ignores
        )
        ignored = (codes for (_, codes), holds in zip(self.per_file_ignores, covers, strict=True) if holds)
        return self.rules.difference(*ignored)

    def reported(self, path: Path) -> str:
        """A path as reports show it: posix and relative to the root, absolute outside."""
        inside = path.relative_to(self.root) if path.is_relative_to(self.root) else path
        return inside.as_posix()


@lru_cache(maxsize=16)
def _globs(patterns: tuple[str, ...]) -> Globs:
    return Globs(patterns)


def load(
    start: Path, said: Mapping[str, Any] | None = None, *, file: Path | None = None, isolated: bool = False
) -> Config:
    """The settings that hold at an absolute path, with what the command line said laid over them by field."""
    found = None if isolated else settings_file.read(file) if file else settings_file.find(start)
    values = {key.replace("-", "_"): value for key, value in (found.values if found else {}).items()}
    root = found.path.parent if found else Path.cwd()
    line = {name: _anchored(value, root) if name.endswith("exclude") else value for name, value in (said or {}).items()}

    plain = {**values, **line}
    plain["extend_exclude"] = (*values.get("extend_exclude", ()), *line.get("extend_exclude", ()))
    origins = {name: str(found.path) for name in values if found} | dict.fromkeys(line, COMMAND_LINE)
    for name in ("ignore", "extend_select", "select"):
        if name in origins:
            origins["rules"] = origins[name]
    if "target_torch" not in plain and not isolated:
        plain["target_torch"], origins["target_torch"] = _target(start, found)
    return Config(
        root=root,
        file=found.path if found else None,
        rules=selection.chosen((_layer(values), _layer(line))),
        origins=origins,
        **{each.name: _meant(each.name, plain[each.name]) for each in fields(Config) if each.name in plain},
    )


def _anchored(patterns: Any, root: Path) -> Any:
    """Patterns of the command line, where they name a place, hold from where one stands and not from the root."""
    if not isinstance(patterns, tuple) or root == Path.cwd() or not Path.cwd().is_relative_to(root):
        return patterns
    here = Path.cwd().relative_to(root).as_posix()
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


def _target(start: Path, found: SettingsFile | None) -> tuple[str, str]:
    """The target where nobody said one, and why it is that."""
    path = settings_file.nearest_pyproject(start)
    if path is not None:
        try:
            content = found.whole if found and found.path == path else settings_file.parse(path)
        except ConfigError:
            content = {}
        if (bound := target.declared(content)) is not None:
            return bound, f"the requirement in {path}"
    return target.NEWEST, "the newest that was measured"


def absolute(path: str | os.PathLike[str]) -> Path:
    """A path made absolute and tidied by its text alone: links stay links."""
    return Path(os.path.abspath(path))  # noqa: PTH100
