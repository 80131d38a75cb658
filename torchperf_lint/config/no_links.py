"""What the command line says to write lies where its name says.

Whoever wrote the working folder may have put a link in its place, to a file or a device of somebody else.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from torchperf_lint.disk.links import link_on_the_way
from torchperf_lint.disk.write import is_device
from torchperf_lint.model.failure import ConfigError


def refuse_links(paths: Iterable[Path | None], *folders: Path) -> None:
    """Raises `ConfigError` where one of some paths leads through a link in the working folder, or in one of some others."""
    for path in filter(None, paths):
        link = link_on_the_way(path, (*folders, Path.cwd()))
        if link is not None and not is_device(path):
            raise ConfigError(f"{path}: not written, because {link} is a link; name its target instead")
