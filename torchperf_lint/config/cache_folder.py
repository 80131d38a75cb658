"""Where the cache lies if the command line does not say it: among what the user's own programs keep, never in a project.

A project could bring a cache along, and with it the answers.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

NAME: Final = "torchperf-lint"


def users_own() -> Path | None:
    """The folder; None where the user has none, or one that depends on the working folder."""
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if named.is_absolute():
        return named / NAME
    match sys.platform:
        case "win32":
            folder = Path(os.environ.get("LOCALAPPDATA", ""))
        case "darwin":
            folder = Path(os.path.expanduser("~"), "Library/Caches")  # noqa: PTH111 - without raising
        case _:
            folder = Path(os.path.expanduser("~"), ".cache")  # noqa: PTH111
    return folder / NAME if folder.is_absolute() else None
