"""The settings file: where it is, what may stand in it, and what is wrong with it in words.

Hands on plain values by the names of the options; what they add up to with the command line is for `config`. Whatever
the file holds, the worst that comes of it is a `ConfigError`: it may be written by strangers, so it names nothing that
is written.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from torchperf_lint.config.selection import UnknownRuleError, suggestion
from torchperf_lint.config.settings import ANYWHERE, KINDS, LINE_ONLY, NOT_HERE, UnfitError
from torchperf_lint.disk.read import read_file
from torchperf_lint.model.failure import ConfigError

PYPROJECT: Final = "pyproject.toml"
OWN_FILE: Final = "torchperf-lint.toml"
MISTAKEN: Final = (".torchperf-lint.toml", "torchperf_lint.toml", ".torchperf_lint.toml")
"""What people call our own file."""
TABLE: Final = "torchperf-lint"
_MENTION: Final = re.compile(rb"torch[-_ ]?perf[-_ ]?lint", re.IGNORECASE)
"""Our name, and what it is mistaken for."""
LARGEST: Final = 1_000_000
"""Bytes of TOML that are parsed at all."""
DOTTIEST: Final = 40_000_000
"""Squares of dots on a line, added up, that are read at all: Python's parser takes a second for them in one key."""
_STRING: Final = re.compile(rb"\"(?:[^\"\\\n]|\\.)*\"?|'[^'\n]*'?")
"""A string on one line; one that does not end goes to the end of its line, or it would be looked for at each quote."""


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """A settings file as found: its checked values by name."""

    path: Path
    values: Mapping[str, Any]


def of_folder(folder: Path) -> SettingsFile | None:
    """The settings that stand in a folder, if some do."""
    for name in (OWN_FILE, PYPROJECT):
        path = folder / name
        is_there = os.path.isfile(path)  # noqa: PTH113 - without raising where the folder may not be searched
        if is_there and (found := read(path, quiet=name == PYPROJECT)) is not None:
            return found
    for name in MISTAKEN:
        if os.path.isfile(folder / name):  # noqa: PTH113
            raise ConfigError(f"{folder / name} is read by nobody; call it `{OWN_FILE}`")
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


def from_line(options: Mapping[str, Any]) -> dict[str, Any]:
    """What the command line said, by field, checked as a file is; its paths may lead anywhere."""
    values: dict[str, Any] = {}
    for name, value in options.items():
        key = name.replace("_", "-")
        if isinstance(value, Path):
            values[name] = Path(os.path.abspath(value))  # noqa: PTH100 - tidied by its text alone: links stay links
        elif value is not None:
            with _named(f"`--{key}`"):
                values[name] = KINDS[key].read(list(value) if isinstance(value, tuple) else value, ANYWHERE)
    return values


def _value(path: Path, key: str, value: object) -> object:
    if key in LINE_ONLY:
        raise ConfigError(f"{path}: `{key}` cannot stand here: {NOT_HERE} `{LINE_ONLY[key]}` on the command line")
    if key not in KINDS:
        raise ConfigError(f"{path}: unknown setting `{key[:80]}`{suggestion(key[:80], KINDS)}")
    with _named(f"{path}: `{key}`"):
        return KINDS[key].read(value, path.parent)


@contextmanager
def _named(what: str) -> Iterator[None]:
    """Says of what is wrong inside where it stands."""
    try:
        yield
    except UnfitError as unfit:
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
    if sum(line.count(b".") ** 2 for line in _outside_strings(data).split(b"\n")) > DOTTIEST:
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


def _outside_strings(data: bytes) -> bytes:
    """TOML without the strings on its lines, where the keys are; all of it where a string may go over several lines."""
    return data if b'"""' in data or b"'''" in data else _STRING.sub(b"", data)


def _bytes(path: Path, *, quiet: bool = False) -> bytes:
    try:
        return read_file(path)
    except OSError as error:
        if quiet:
            return b""
        raise ConfigError(f"{path}: {error.strerror or error}") from None
