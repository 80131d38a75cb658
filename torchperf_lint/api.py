"""The Python interface: the same settings, files and findings as the command line, without its streams."""

from __future__ import annotations

import os
import warnings
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.config.config import Configs, absolute, common_folder, of_text, shown_path
from torchperf_lint.config.settings import KINDS
from torchperf_lint.config.settings_file import from_line
from torchperf_lint.files.discover import discover
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.run.lint_file import LintFile, lint_bytes
from torchperf_lint.run.run_files import over
from torchperf_lint.syntax.encoding import as_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchperf_lint.model.finding import Finding

UNNAMED: Final = "<text>"


def lint_text(text: str, path: str = UNNAMED, **settings: Any) -> list[Finding]:
    """The findings of a text, sorted.

    `path` is what the findings call it, and what tells a notebook (`.ipynb`) from a module; it need not exist.
    `settings` are those of the configuration, with underscores: `lint_text(text, select=["TPL1"])`. No file is read.
    """
    config = of_text(_checked(settings))
    return list(lint_bytes(as_file(text), path, config))


def lint_paths(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (".",),
    *,
    config: str | os.PathLike[str] | None = None,
    **settings: Any,
) -> list[Finding]:
    """The findings of a file or folder, or of several, sorted, as `torchperf-lint PATHS` reports them.

    The settings come from the nearest configuration of each file, or from the file `config` for all; `settings`, with
    underscores, go over them. A file that cannot be read is a `UserWarning`; a wrong setting is a `ValueError`.
    """
    names = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    configs = Configs(common_folder(names or ["."]), _checked(settings), file=absolute(config) if config else None)
    return _linted([os.fspath(name) for name in names], configs)


def _linted(paths: Iterable[str], configs: Configs) -> list[Finding]:
    discovered = discover(paths, configs)
    done = over(discovered.files, LintFile(configs))
    failures = [f"{failure.path}: {failure.message}" for failure in discovered.failures]
    for failure in [*failures, *(f"{shown_path(Path(each.path))}: {each.failure}" for each in done if each.failure)]:
        warnings.warn(failure, stacklevel=3)
    return sorted((finding for each in done for finding in each.findings), key=attrgetter("order"))


def _checked(settings: dict[str, Any]) -> dict[str, Any]:
    unknown = [name for name in settings if name.replace("_", "-") not in KINDS]
    if unknown:
        raise ConfigError(f"unknown setting `{unknown[0]}`")
    return from_line({name: tuple(value) if isinstance(value, list) else value for name, value in settings.items()})
