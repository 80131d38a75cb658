"""The linter as an editor needs it: the same files again and again, as they are typed, with their projects kept warm.

Lives in a process of its own (`worker`), one question after the other. Knows paths and bytes, and nothing of the protocol.
"""

from __future__ import annotations

import atexit
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from torchperf_lint.config.config import Configs
from torchperf_lint.disk.read import read_file
from torchperf_lint.engine import projects
from torchperf_lint.facts.project.imports import Reads
from torchperf_lint.files.discover import is_left_out, mentions_torch
from torchperf_lint.files.document import NOTEBOOK, UnreadableError, opened
from torchperf_lint.model.failure import ConfigError, raised_at
from torchperf_lint.model.paths import with_paths
from torchperf_lint.run import baseline, project_index
from torchperf_lint.run.fix_file import FixFile
from torchperf_lint.run.lint_file import lint_bytes, linter
from torchperf_lint.run.parallel import quiet_collector
from torchperf_lint.run.reveal_file import reveal_bytes
from torchperf_lint.syntax.digest import digest
from torchperf_lint.syntax.source import SyntaxFault

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from torchperf_lint.config.config import Config
    from torchperf_lint.model.finding import Finding
    from torchperf_lint.model.known import KnownExpression, KnownLine
    from torchperf_lint.syntax.source import Place

PROJECTS: Final = 4
"""So many projects are kept warm: the roots of a window that one goes to and fro between."""


@dataclass(frozen=True, slots=True)
class Linted:
    """What was found in a document; paths are absolute."""

    findings: tuple[Finding, ...] = ()
    reads: frozenset[str] = frozenset()
    """The files that it stands on besides."""
    is_news: bool = False
    """Whether those who import the document see another text from now on."""
    failure: str | None = None
    """Why nothing was found: settings that are wrong, an error of ours."""


@dataclass(frozen=True, slots=True)
class Known:
    """An expression with the line that it begins on."""

    line: KnownLine
    expression: KnownExpression


def _see(path: Path, data: bytes | None) -> None:
    """A file has changed: an editor has this of it; None for what is on the disk."""
    projects.see(path, data)
    project_index.see(path, data)


class Session:
    """What is open, and the settings that hold for it."""

    def __init__(self, folder: Path, file: Path | None, isolated: bool) -> None:
        self._folder, self._file, self._isolated = folder, file, isolated
        self._configs: Configs | None = None
        self._left_out: dict[Path, bool] = {}
        self._accepted: dict[Path, frozenset[str]] = {}
        self._typed: dict[Path, bytes] = {}
        self._revealed: tuple[Path, str, tuple[KnownLine, ...]] | None = None
        quiet = ExitStack()
        atexit.register(quiet.close)  # which keeps it till then: where it is let go, the collector is on again
        self._collect = quiet.enter_context(quiet_collector())
        projects.keep_projects(PROJECTS)

    def lint(self, path: Path, data: bytes) -> Linted:
        """What is found in a document that an editor has."""
        try:
            return self._lint(path, data)
        except ConfigError as error:
            return Linted(failure=str(error))
        except Exception as error:
            what = f"{type(error).__name__}: {error} ({raised_at(error)})"
            return Linted(failure=f"internal error, please report it: {what}")

    def fix(self, path: Path, data: bytes) -> dict[int | None, str]:
        """The texts of a document, by cell, after all safe fixes; none of one that is not linted."""
        config = self._now().of(path)
        if self._is_left_out(path, config):
            return {}
        called = config.in_project(path)
        fixed = FixFile(self._now(), self._accepts(config)).safely(data, called, config)
        return opened(fixed, called, linter(config)).texts

    def known(self, path: Path, data: bytes, cell: int | None, place: Place) -> Known | None:
        """What is known of the innermost expression at a place."""
        found = [
            Known(line, each)
            for line in self._lines(path, data)
            for each in line.expressions
            if line.cell == cell and each.span.start <= place <= each.span.end
        ]
        return max(found, key=_how_far_in, default=None)

    def tidy(self) -> None:
        """Between two questions: let go of what the last one needed and the next one may not."""
        projects.tidy()
        self._collect()

    def close(self, path: Path) -> bool:
        """A document was closed: what is on the disk counts; whether that is another text."""
        typed = self._typed.pop(path, None)
        _see(path, None)
        return typed is not None and typed != _on_disk(path)

    def disk_changed(self, paths: Iterable[Path]) -> None:
        """Files were written, made or removed, by whomever."""
        for path in paths:
            _see(path, self._typed.get(path))

    def reload(self, paths: Sequence[Path]) -> bool:
        """Read the settings again; whether those of some documents are others now, or of any where none is named."""
        self._left_out.clear()
        self._accepted.clear()
        before, self._configs = self._configs, None
        try:
            if before is not None and paths and all(before.of(path) == self._now().of(path) for path in paths):
                self._configs = before  # the same objects, by which projects are kept
                return False
        except ConfigError:
            self._configs = None
        self._revealed = None
        return True

    def _now(self) -> Configs:
        if self._configs is None:
            self._configs = Configs(self._folder, file=self._file, isolated=self._isolated)
        return self._configs

    def _lint(self, path: Path, data: bytes) -> Linted:
        config = self._now().of(path)
        if self._is_left_out(path, config):
            return Linted()
        is_news = self._see(path, data)
        reads = Reads()
        found = lint_bytes(data, config.in_project(path), config, reads)
        accepted = self._accepts(config)
        found = tuple(each for each in found if each.fingerprint not in accepted)
        placed = with_paths(found, lambda called: str(config.root / called))
        return Linted(placed, frozenset(file for file, _ in reads.found.values() if file), is_news)

    def _lines(self, path: Path, data: bytes) -> list[KnownLine]:
        """What is known of a document, which is asked for again and again while a mouse moves over it."""
        config, content = self._now().of(path), digest([data])
        if self._revealed is None or self._revealed[:2] != (path, content):
            try:
                lines = reveal_bytes(data, config.in_project(path), config)[1] if mentions_torch(data) else []
            except (UnreadableError, SyntaxFault):
                lines = []
            placed = with_paths(tuple(lines), lambda called: str(config.root / called))
            self._revealed = (path, content, placed)
        return list(self._revealed[2])

    def _see(self, path: Path, data: bytes) -> bool:
        """Let those that import a document see it as it is typed; whether that is another text than before."""
        if path.suffix == NOTEBOOK or self._typed.get(path) == data:
            return False
        before = self._typed[path] if path in self._typed else _on_disk(path)
        self._typed[path] = data
        _see(path, data)
        return before != data

    def _is_left_out(self, path: Path, config: Config) -> bool:
        if path not in self._left_out:
            self._left_out[path] = is_left_out(path, config)
        return self._left_out[path]

    def _accepts(self, config: Config) -> frozenset[str]:
        """The findings that the baseline of a project accepts."""
        if config.baseline is None:
            return frozenset()
        if config.baseline not in self._accepted:
            self._accepted[config.baseline] = baseline.read(config.baseline).fingerprints
        return self._accepted[config.baseline]


def _on_disk(path: Path) -> bytes | None:
    try:
        return read_file(path)
    except OSError:
        return None


def _how_far_in(known: Known) -> tuple[Place, int, int]:
    """Of expressions around a place, the one that begins last and ends first."""
    span = known.expression.span
    return span.start, -span.end.line, -span.end.column
