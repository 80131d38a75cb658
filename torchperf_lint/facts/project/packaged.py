"""Whether a project is made to be installed, so that anybody may use what it defines, by the settings at its top.

setup.py                               it is
pyproject.toml with [build-system]     it is
pyproject.toml with [tool.ruff]        settings of tools: it may be a program like any other
setup.cfg with [flake8]                the same
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Final

from torchperf_lint.disk.read import read_file

_ALWAYS: Final = "setup.py"
_SAYING: Final = {
    "pyproject.toml": re.compile(rb"^[ \t]*\[[ \t]*(?:build-system|tool[ \t]*\.[ \t]*poetry)[ \t]*\]", re.MULTILINE),
    "setup.cfg": re.compile(rb"^\[(?:metadata|options)\]", re.MULTILINE),
}
_LARGEST: Final = 1_000_000


def is_made_to_be_installed(folder: Path, entries: Collection[str]) -> bool:
    """Whether the settings in a folder, which has some entries, say so; those that cannot be read do."""
    if _ALWAYS in entries:
        return True
    try:
        return any(says.search(read_file(folder / name, _LARGEST)) for name, says in _SAYING.items() if name in entries)
    except OSError:
        return True
