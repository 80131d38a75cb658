"""Removing a folder of ours with all that is in it; links are removed and not followed."""

from __future__ import annotations

import shutil
from pathlib import Path


def remove_folder(folder: Path) -> None:
    """Remove a folder that the caller knows to be its own; what cannot be removed stays."""
    shutil.rmtree(folder, ignore_errors=True)
