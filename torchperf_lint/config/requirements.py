"""Which file of a folder says what torch a project needs, and what it says."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from torchperf_lint.config import nearest, settings_file, target
from torchperf_lint.disk.read import read_file
from torchperf_lint.model.failure import ConfigError

NEWEST: Final = (target.NEWEST, "the newest that was measured")


class Place(NamedTuple):
    """Files that say it in one way; of several of them the oldest torch counts."""

    folders: tuple[str, ...]
    names: re.Pattern[str]
    read: Callable[[str], str | None]


_SHELL: Final = r"(?i).*(install|setup|req|env|conda|depend|docker|build).*\.sh"
OLDER: Final = (
    Place(("",), re.compile(r"setup\.cfg"), target.required),
    Place(("",), re.compile(r"setup\.py"), target.quoted),
    Place(("",), re.compile(r"requirements?\.txt"), target.required),
    Place(
        ("requirements",),
        re.compile(r"(requirements|base|runtime|install|main|core|pytorch|torch)\.txt"),
        target.required,
    ),
    Place(("", "environment", "environments", "envs", "conda", "setup"), re.compile(r"[^.].*\.ya?ml"), target.of_conda),
    Place(("",), re.compile(r"cog\.yaml"), target.packages_of_conda),
    Place(("",), re.compile(r"tox\.ini"), target.required),
)
"""What says it where `pyproject.toml` does not: what a project is packaged by, then what it is run with."""
SHOWN: Final = (
    Place(("", "docker", "environment/docker"), re.compile(r"(?i)Dockerfile.*|.*\.dockerfile"), target.of_image),
    Place(
        ("", "docs", "docs/en"),
        re.compile(r"(?i:readme|install(ation)?|get(ting)?[_-]started)\.(md|rst|txt)"),
        target.of_page,
    ),
    Place(("", "scripts", "docker", "environment"), re.compile(_SHELL), target.of_commands),
)
"""What shows it where none of them names torch: there a version is only what somebody had."""

_MOST: Final = 40
"""Where more files of a folder might say it, they are data."""


def may_say(path: str) -> bool:
    """Whether a file, by its path, may say what torch a project needs."""
    return any(place.names.fullmatch(path.rpartition("/")[2]) for place in OLDER)


def of_folder(folder: Path) -> tuple[str, str] | None:
    """The target that a folder asks for, and why it is that: by its `pyproject.toml`, whoever that is for, else by older files.

    Where a project begins, nothing above it counts.
    """
    names = {"": _names(folder)}
    is_project = settings_file.PYPROJECT in names[""]
    path, bound = folder / settings_file.PYPROJECT, None
    if is_project:
        with suppress(ConfigError):
            bound = target.declared(settings_file.parse(path))
    for place in (*OLDER, *SHOWN):
        if bound or (bound == "" and place in SHOWN):
            break
        for file, found in _said(folder, place, names):
            if bound is None or (found and (not bound or target.short(found) < target.short(bound))):
                path, bound = file, found
    if bound:
        return bound, f"the requirement in {path}"
    return NEWEST if is_project or nearest.REPOSITORY in names[""] else None


def _said(folder: Path, place: Place, names: dict[str, list[str]]) -> Iterator[tuple[Path, str]]:
    """The files of a place that name torch, and what they say; `names` keeps what lies in which folder."""
    for inner in place.folders:
        if inner not in names:
            names[inner] = _names(folder / inner) if inner.partition("/")[0] in names[""] else []
        fitting = [each for each in names[inner] if place.names.fullmatch(each)]
        for name in fitting if len(fitting) <= _MOST else ():
            if (text := _text(folder / inner / name)) and (found := place.read(text)) is not None:
                yield folder / inner / name, found


def _names(folder: Path) -> list[str]:
    """What lies in a folder, in order; nothing where it may not be searched."""
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - names alone, which are all that is asked
    except OSError:
        return []


def _text(path: Path) -> str:
    """A file as text; empty where there is none that can be read."""
    try:
        data = read_file(path, settings_file.LARGEST) if os.path.isfile(path) else b""  # noqa: PTH113
    except OSError:
        return ""
    return data.decode("utf-8", "replace")
