"""Which file of a folder says what torch a project needs, and what it says."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from torchperf_lint.config import settings_file, target
from torchperf_lint.disk.read import read_file
from torchperf_lint.model.failure import ConfigError

NEWEST: Final = (target.NEWEST, "the newest that was measured")

_PARTS: Final = ("requirements", "base", "runtime", "install", "main", "core", "pytorch", "torch")
_CONDA: Final = ("environment", "env", "conda", "conda_env", "conda-env", "environment_gpu", "environment-gpu")
OLDER: Final = (
    ("setup.cfg", target.required),
    ("setup.py", target.quoted),
    ("requirements.txt", target.required),
    *((f"requirements/{each}.txt", target.required) for each in _PARTS),
    *((f"{each}.{ending}", target.of_conda) for each in _CONDA for ending in ("yml", "yaml")),
    ("cog.yaml", target.of_conda),
)
"""What says it where `pyproject.toml` does not: what a project is packaged by, then what it is run with."""
SHOWN: Final = (
    ("Dockerfile", target.of_image),
    ("docker/Dockerfile", target.of_image),
    *((name, target.of_commands) for name in ("README.md", "INSTALL.md", "docs/INSTALL.md", "install.sh")),
)
"""What shows it where none of them names torch: there a version is only what somebody had."""


def of_folder(folder: Path) -> tuple[str, str] | None:
    """The target that a folder asks for, and why it is that: by its `pyproject.toml`, whoever that is for, else by older files."""
    path = folder / settings_file.PYPROJECT
    is_project = os.path.isfile(path)  # noqa: PTH113 - without raising where the folder may not be searched
    bound = None
    if is_project:
        with suppress(ConfigError):
            bound = target.declared(settings_file.parse(path))
    for name, read in (*OLDER, *SHOWN):
        if bound or (bound == "" and (name, read) in SHOWN):
            break
        if (text := _text(folder / name)) and (found := read(text)) is not None:
            path, bound = folder / name, found
    return (bound, f"the requirement in {path}") if bound else (NEWEST if is_project else None)


def _text(path: Path) -> str:
    """A file as text; empty where there is none that can be read."""
    try:
        data = read_file(path, settings_file.LARGEST) if os.path.isfile(path) else b""  # noqa: PTH113
    except OSError:
        return ""
    return data.decode("utf-8", "replace")
