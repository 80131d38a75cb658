"""The findings inside of flake8, as the plugin `TPL`: for those whose checks all run there.

Settings come from the nearest configuration, as on the command line; fixes and evidence do not fit into flake8.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from torchperf_lint.config.config import Config, absolute, load
from torchperf_lint.report.terminal import visible
from torchperf_lint.run.lint_file import lint_bytes
from torchperf_lint.syntax.encoding import as_file
from torchperf_lint.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


class Plugin:
    """What flake8 makes of each file and asks for its findings."""

    name: ClassVar = "torchperf-lint"
    version: ClassVar = VERSION

    def __init__(self, tree: object, filename: str, lines: Sequence[str]) -> None:  # noqa: ARG002 - flake8 asks for a tree
        self.path = absolute(filename)
        self.text = "".join(lines)

    def run(self) -> Iterator[tuple[int, int, str, type[Any]]]:
        config = _config(self.path.parent)
        for finding in lint_bytes(as_file(self.text), config.in_project(self.path), config):
            start = finding.span.start
            yield start.line, start.column - 1, f"{finding.code} {visible(finding.message)}", type(self)


@lru_cache
def _config(folder: Path) -> Config:
    return load(folder)
