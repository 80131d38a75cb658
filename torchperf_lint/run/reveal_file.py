"""One file, or one line of it: its bytes in, what is known of its lines out."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from torchperf_lint.config.config import shown_in, shown_path
from torchperf_lint.disk.read import read_file
from torchperf_lint.files.discover import mentions_torch
from torchperf_lint.files.document import UnreadableError, opened
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.model.paths import with_paths
from torchperf_lint.run.lint_file import linter
from torchperf_lint.syntax.source import Source, SyntaxFault

if TYPE_CHECKING:
    from pathlib import Path

    from torchperf_lint.config.config import Config
    from torchperf_lint.files.document import Document
    from torchperf_lint.model.known import KnownLine


def reveal_file(path: Path, cell: int | None, line: int | None, config: Config) -> list[KnownLine]:
    """What is known of the lines of a file, or of one of them; raises `ConfigError` where there is nothing to say."""
    shown, called = shown_path(path), config.in_project(path)
    try:
        data = read_file(path)
    except OSError as error:
        raise ConfigError(f"{shown}: {error.strerror or error}") from None
    if not mentions_torch(data):
        raise ConfigError(f"{shown}: does not say `torch` anywhere, so it is not linted and nothing is known of it")
    try:
        document, found = reveal_bytes(data, called, config)
    except UnreadableError as unreadable:
        raise ConfigError(f"{shown}: does not parse: {unreadable}") from None
    except SyntaxFault as fault:
        raise ConfigError(f"{shown}:{fault.place.line}:{fault.place.column}: does not parse: {fault.message}") from None
    found = list(with_paths(tuple(found), lambda path: shown_in(config.root, path)))
    if line is None:
        return found
    here = f"{shown}:{line}" if cell is None else f"{shown}:cell {cell}:{line}"
    if cell not in document.texts:
        numbers = ", ".join(map(str, document.texts)) or "none"
        raise ConfigError(f"{here}: this cell is no Python; cells of Python: {numbers}")
    text = document.texts[cell]
    last = len(Source(text).starts) - text.endswith(("\n", "\r"))
    if not 1 <= line <= last:
        raise ConfigError(f"{here}: there is no such line; the last is {last}")
    return [_one({each.line: each for each in found if each.cell == cell}, line, here)]


def reveal_bytes(data: bytes, called: str, config: Config) -> tuple[Document, list[KnownLine]]:
    """A file's content, and what is known of its lines, with paths as its project calls them.

    Raises `UnreadableError` or `SyntaxFault` where it does not parse.
    """
    document = opened(data, called, linter(config))
    from torchperf_lint.engine.reveal_text import reveal

    return document, document.located_lines(reveal(Source(document.text, called), config), called)


def _one(known: dict[int, KnownLine], line: int, here: str) -> KnownLine:
    """The line that was asked for; the error where it has no expression names those around it that have one."""
    if line not in known:
        numbers = sorted(known)
        at = bisect_left(numbers, line)
        near = " and ".join(map(str, numbers[max(0, at - 1) : at + 1]))
        raise ConfigError(f"{here}: no expression starts on this line" + (f"; nearest: {near}" if near else ""))
    return known[line]
