"""The settings file: where it is, what may stand in it, and what is wrong with it in words.

Hands on plain values by the names of the options; what they add up to with the command line is for `config`. Whatever
the file holds, the worst that comes of it is a `ConfigError`: it may be written by strangers, so it names nothing that
is written.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from torchperf_lint.config.globs import is_pattern
from torchperf_lint.config.selection import UnknownRuleError, meant, suggestion
from torchperf_lint.config.target import GPUS
from torchperf_lint.disk.read import read_file
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.model.formats import FORMATS

PYPROJECT: Final = "pyproject.toml"
OWN_FILE: Final = "torchperf-lint.toml"
TABLE: Final = "torchperf-lint"
_MENTION: Final = re.compile(rb"torch[-_ ]?perf[-_ ]?lint", re.IGNORECASE)
"""Our name, and what it is mistaken for."""
LARGEST: Final = 1_000_000
"""Bytes of TOML that are parsed at all."""
DOTTIEST: Final = 40_000_000
"""Squares of dots on a line, added up, that are read at all: Python's parser takes a second for them in one key."""


class _UnfitError(Exception):
    """A value that a setting does not take; the message says what it takes."""


Kind = Callable[[object, Path], object]
"""Turns a value, found in a file in a folder, into what `Config` holds, or raises `_Unfit`."""


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """A settings file as found: its checked values by name."""

    path: Path
    values: Mapping[str, Any]


_ANYWHERE: Final = Path()
"""The folder of what the command line says, which is not kept inside of one."""


def _flag(value: object, _: Path) -> bool:
    if isinstance(value, bool):
        return value
    raise _UnfitError("`true` or `false`")


def _count(value: object, _: Path) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 1_000_000:
        return value
    raise _UnfitError("a whole number from 1 up")


def _text(value: object, _: Path) -> str:
    if isinstance(value, str):
        return value
    raise _UnfitError("a string")


def _texts(value: object, _: Path) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    raise _UnfitError("a list of strings")


def _patterns(value: object, folder: Path) -> tuple[str, ...]:
    patterns = _texts(value, folder)
    for pattern in patterns:
        if not is_pattern(pattern):
            raise _UnfitError(f"a list of patterns as `.gitignore` writes them, and `{pattern[:80]}` is none")
    return patterns


def _rules(value: object, folder: Path) -> tuple[str, ...]:
    selectors = _texts(value, folder)
    for selector in selectors:
        meant(selector)
    return selectors


def _rules_by_file(value: object, folder: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise _UnfitError('a table such as {"tests/*" = ["TPL1"]}')
    _patterns([pattern.removeprefix("!") for pattern in value], folder)
    if not all(isinstance(selectors, list) for selectors in value.values()):
        raise _UnfitError('a table of lists such as {"tests/*" = ["TPL1"]}')
    return tuple((pattern, _rules(selectors, folder)) for pattern, selectors in value.items())


def _functions(value: object, folder: Path) -> tuple[str, ...]:
    names = _texts(value, folder)
    if all(re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*", name) for name in names):
        return names
    raise _UnfitError('a list of dotted names such as ["trainer.Trainer.step"]')


def _choice(*choices: str) -> Kind:
    def choose(value: object, _: Path) -> str:
        if isinstance(value, str) and value in choices:
            return value
        raise _UnfitError("one of " + ", ".join(f'"{choice}"' for choice in choices))

    return choose


def _version(value: object, _: Path) -> str:
    if isinstance(value, str) and re.fullmatch(r"\d{1,3}\.\d{1,3}(\.\d{1,3})?", value):
        return value
    raise _UnfitError('a version such as "2.4"')


def _formats(value: object, folder: Path) -> tuple[tuple[str, Path | None], ...]:
    wanted = (value,) if isinstance(value, str) else _texts(value, folder)
    parts = [each.partition("=") for each in wanted]
    for name, equals, file in parts:
        if name not in FORMATS or bool(equals) != bool(file):
            near = suggestion(name[:80], FORMATS)
            raise _UnfitError(f"{', '.join(FORMATS)}, or one of them with `=FILE`, not `{name[:80]}`{near}")
        if file and folder is not _ANYWHERE:
            raise _UnfitError(f"a format alone: {_NOT_HERE} `--format {name}=FILE`")
    return tuple((name, Path.cwd() / file if file else None) for name, _, file in parts)


def _inside(value: object, folder: Path) -> Path:
    """A path below the folder of the file: what is read of a project from elsewhere is a part of it."""
    if folder is _ANYWHERE:
        return Path.cwd() / _text(value, folder)
    path = (folder / _text(value, folder)).resolve()
    if path != folder.resolve() and path.is_relative_to(folder.resolve()):
        return path
    raise _UnfitError("a path inside the folder of the configuration (the command line may name any)")


def _folder(value: object, folder: Path) -> Path:
    """A folder that holds the settings file, or that it holds."""
    path = (folder / _text(value, folder)).resolve()
    if path.is_relative_to(folder.resolve()) or folder.resolve().is_relative_to(path):
        return path
    raise _UnfitError("a folder above or below that of the configuration")


def _sizes(value: object, folder: Path) -> dict[str, int]:
    if isinstance(value, dict) and value and value.keys() <= {"linear", "conv"}:
        return {key: _count(size, folder) for key, size in value.items()}
    if isinstance(value, int):
        return dict.fromkeys(("linear", "conv"), _count(value, folder))
    raise _UnfitError("a whole number, or a table such as {linear = 512, conv = 32}")


KINDS: Final[Mapping[str, Kind]] = {
    "select": _rules,
    "extend-select": _rules,
    "ignore": _rules,
    "per-file-ignores": _rules_by_file,
    "confidence": _choice("likely", "proven"),
    "fail-level": _choice("info", "warning", "error"),
    "fix": _flag,
    "unsafe-fixes": _flag,
    "format": _formats,
    "sort": _choice("impact", "path"),
    "output-file": _inside,
    "exclude": _patterns,
    "extend-exclude": _patterns,
    "gitignore": _flag,
    "force-exclude": _flag,
    "baseline": _inside,
    "project-root": _folder,
    "jobs": _count,
    "cache": _flag,
    "cache-dir": _inside,
    "target-torch": _version,
    "target-gpu": _choice(*GPUS),
    "hot-functions": _functions,
    "sync-allowed": _functions,
    "alignment-min-dim": _sizes,
}
"""Every setting, with what its value must be."""

_NOT_HERE: Final = "a settings file may come from strangers, so it names no files to write; use"
LINE_ONLY: Final[Mapping[str, str]] = {
    "cache-dir": "--cache-dir FOLDER",
    "output-file": "--output-file FILE",
    "write-baseline": "--write-baseline FILE",
}
"""What the command line alone may say, and how it says it."""


def of_folder(folder: Path) -> SettingsFile | None:
    """The settings that stand in a folder, if some do."""
    for name in (OWN_FILE, PYPROJECT):
        path = folder / name
        is_there = os.path.isfile(path)  # noqa: PTH113 - without raising where the folder may not be searched
        if is_there and (found := read(path, quiet=name == PYPROJECT)) is not None:
            return found
    return None


def read(path: Path, *, quiet: bool = False) -> SettingsFile | None:
    """A settings file, checked; with `quiet`, None where it is not about this tool."""
    if quiet and _MENTION.search(_bytes(path, quiet=True)) is None:
        return None
    content = parse(path)
    if path.name == PYPROJECT:
        tool = content.get("tool")
        table = tool.get(TABLE) if isinstance(tool, dict) else None
        for name in tool if isinstance(tool, dict) and table is None else ():
            if _MENTION.fullmatch(name.encode(errors="replace")):
                raise ConfigError(f"{path}: `tool.{name[:80]}` is read by nobody; write `[tool.{TABLE}]`")
        if table is None and quiet:
            return None
        content = {} if table is None else table
    if not isinstance(content, dict):
        raise ConfigError(f"{path}: `tool.{TABLE}` must be a table")
    return SettingsFile(path, {key: _value(path, key, value) for key, value in content.items()})


def from_line(said: Mapping[str, Any]) -> dict[str, Any]:
    """What the command line said, by field, checked as a file is; its paths may lead anywhere."""
    values: dict[str, Any] = {}
    for name, value in said.items():
        key = name.replace("_", "-")
        if isinstance(value, Path):
            values[name] = Path.cwd() / value
        elif value is not None:
            with _told(f"`--{key}`"):
                values[name] = KINDS[key](list(value) if isinstance(value, tuple) else value, _ANYWHERE)
    return values


def _value(path: Path, key: str, value: object) -> object:
    if key in LINE_ONLY:
        raise ConfigError(f"{path}: `{key}` cannot stand here: {_NOT_HERE} `{LINE_ONLY[key]}` on the command line")
    if key not in KINDS:
        raise ConfigError(f"{path}: unknown setting `{key[:80]}`{suggestion(key[:80], KINDS)}")
    with _told(f"{path}: `{key}`"):
        return KINDS[key](value, path.parent)


@contextmanager
def _told(what: str) -> Iterator[None]:
    """Says of what is wrong inside where it stands."""
    try:
        yield
    except _UnfitError as unfit:
        raise ConfigError(f"{what} must be {unfit}") from None
    except UnknownRuleError as unknown:
        raise ConfigError(f"{what}: {unknown}") from None
    except (OSError, ValueError) as error:
        raise ConfigError(f"{what}: {error}") from None


def parse(path: Path) -> dict[str, Any]:
    """A TOML file as plain values."""
    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    data = _bytes(path)
    if len(data) > LARGEST:
        raise ConfigError(f"{path}: too large for settings ({len(data):,} bytes)")
    if sum(line.count(b".") ** 2 for line in data.split(b"\n")) > DOTTIEST:
        raise ConfigError(f"{path}: nested too deeply")
    try:
        content: dict[str, Any] = toml.loads(data.decode("utf-8"))
    except RecursionError:
        raise ConfigError(f"{path}: nested too deeply") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 (byte {error.start})") from None
    except ValueError as error:
        raise ConfigError(f"{path}: {str(error)[:200]}") from None
    return content


def _bytes(path: Path, *, quiet: bool = False) -> bytes:
    try:
        return read_file(path)
    except OSError as error:
        if quiet:
            return b""
        raise ConfigError(f"{path}: {error.strerror or error}") from None
