"""Which files of a project may import one without saying its name, or look through all that it has.

    nets/__init__.py    for each in listdir(here): import_module(each)              imports all that lies beside it
    run.py              import_module("nets." + kind)                               imports what is in the folder that it names
    build.py            import_module(kind)                                         imports what some text names

By words alone, in doubt they do.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from pathlib import Path
from typing import Final, NamedTuple

from torchperf_lint.facts.project import uses
from torchperf_lint.facts.project.summary import Summary

_BY_PATH: Final = b"exec_module"
_LISTING: Final = frozenset(b"glob iglob rglob listdir scandir walk iterdir pkgutil".split())
"""Who runs a file by its path runs one that somebody names, unless it also lists folders."""
_ALL_OF: Final = frozenset(b"__dict__ __dir__ vars( getmembers getmro isclass issubclass".split())
"""With one of each, a file imports what it finds, or what a text says, and looks through all that it has."""
_TEMPORARY: Final = b"tempfile"
"""Who says this imports a copy in a temporary folder, as settings that are programs are read: nothing that others import."""


class _Finder(NamedTuple):
    folder: Path
    words: frozenset[bytes]
    lists: bool
    looks_through: bool

    def may_come_to(self, path: Path) -> bool:
        """Whether it names the folder of a file, or lies beside it, or above it and lists what there is."""
        is_above = path.is_relative_to(self.folder)
        return self.folder == path.parent or (self.lists and is_above) or _word(path.parent.name) in self.words


class Finders:
    """The files of a project that import what they do not name."""

    def __init__(self, summaries: Mapping[str, Summary]) -> None:
        self._all = [each for path, summary in summaries.items() if (each := _finder(path, summary)) is not None]

    def may_import(self, path: str) -> bool:
        """Whether one of them may import a file that no text names."""
        return any(each.may_come_to(Path(path)) for each in self._all)

    def may_look_through(self, path: str, texts: Set[bytes] | None) -> bool:
        """Whether one of them may look through all that is in a file, which some texts, or texts that nobody knows, may name."""
        looking = [each for each in self._all if each.looks_through]
        is_named = texts is None or _word(Path(path).stem) in texts
        return any(is_named or each.may_come_to(Path(path)) for each in looking)


def _finder(path: str, summary: Summary) -> _Finder | None:
    words = frozenset(summary.words.split())
    finding, lists = words & uses.FINDS, not words.isdisjoint(_LISTING)
    if not finding or _TEMPORARY in words:
        return None
    looks_through = not words.isdisjoint(_ALL_OF) and (lists or finding != {_BY_PATH})
    return _Finder(Path(path).parent, words, lists, looks_through)


def _word(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass")
