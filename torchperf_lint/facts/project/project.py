"""The files around the one that is linted: what its imports name, read when a fact needs it.

Only files of the same project are read, never an installed package. Outlines are kept from file to file; which ones a
file needed is written down, so that a cache can tell when its answer is stale. Knows nothing of facts but the outline.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from torchperf_lint.disk.read import read_file
from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.index.glance import Glance
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.project.bindings import may_bind
from torchperf_lint.facts.project.contents import Names
from torchperf_lint.facts.project.face import face_of
from torchperf_lint.facts.project.imports import LARGEST, Imports
from torchperf_lint.facts.project.index import Index
from torchperf_lint.facts.project.mentions import RECENT, Sort, may_name
from torchperf_lint.facts.project.test_files import is_test
from torchperf_lint.syntax.digest import digest
from torchperf_lint.syntax.encoding import UndecodableError, decode
from torchperf_lint.syntax.parse import by_python
from torchperf_lint.syntax.source import Source, SyntaxFault

KEPT: Final = 7_000_000
"""Outlines of so many characters of text are kept; they take some forty bytes for each."""
MORE: Final = 1.4
"""So many times as many where callers are looked at: the outlines of hundreds of files are asked then, again and again, and with one
goes what was found with its help."""

NOTHING_TYPED: Final[Mapping[Path, bytes]] = {}


_STAR: Final = re.compile(rb"\bimport[\s\\]*\*")


@dataclass(slots=True)
class _Kept:
    """What was made of a file: its outline, None if it cannot be read or parsed, and the text that the outline is of."""

    module: Module | None
    text: str
    content: str | None = ""
    """The file's content, as `contents` names it, None if it cannot be read; empty as long as nobody has looked at the file itself."""
    face: str = ""
    """A name for its face, once somebody has asked."""
    worth: int = 0
    """What has least of it goes first: how many asked for the file, more where that was lately."""


class Project:
    """The outlines of a project's modules, by path."""

    def __init__(self, root: Path, typed: Mapping[Path, bytes] = NOTHING_TYPED) -> None:
        self.root = root.absolute()
        self.imports = Imports(self.root)
        self.at = lru_cache(maxsize=None)(Path)
        """A path that was written down, made once: it is long to make, and to compare with another one that is the same."""
        self.full = lru_cache(maxsize=None)(lambda called: str(self.root / called))
        """Where a file is, by its path in the project."""
        self._names = Names()
        self._typed = typed
        """What an editor has of files: it counts, and not what is on the disk."""
        self.index: Callable[[], Index] = lambda: Index({}, self.imports)
        """Which files may call which; of a project that nobody has looked through, none."""
        self._kept: dict[Path, _Kept] = {}
        self._uses: dict[Path, dict[tuple[str, Sort], tuple[bool, str | None]]] = {}
        """Of files and names that somebody has asked about: whether the file may use what has the name, and of which content that is."""
        self._texts: dict[Path, tuple[str, str]] = {}
        """The last files that were looked at for a name, as texts."""
        self._glances: dict[Path, tuple[Glance, str]] = {}
        """A look at each file that somebody has asked for a name, with its content."""
        self._size = 0
        self._has_callers = False
        self._asked: Counter[Path] = Counter()
        self._gone = 0
        """What the last file was worth that was let go of: what comes now is worth that and more."""
        self._test: Path | None = None
        """The file of tests that was linted last, if the last one was."""
        self._dropped: list[Module] = []
        """Outlines that are not kept any more, since somebody last tidied."""

    def name_of(self, path: Path) -> str:
        """The dotted name under which a file is imported."""
        return self.imports.name_of(path)

    def known(self, path: Path, text: str, called: str) -> Module | None:
        """The outline of a text in a file that reports call so, if it was made before."""
        kept = self._kept.get(path)
        module = kept.module if kept is not None and kept.text == text else None
        return module if module is not None and module.path == called else None

    def keep(self, path: Path, module: Module, text: str) -> None:
        """Keep the outline of a file that is linted, for the files that import it."""
        self._keep(path, _Kept(module, text))
        self._test = path if is_test(module.path) else None

    def forget(self, path: Path) -> None:
        """A file has changed: look again when somebody asks."""
        self._uses.pop(path, None)
        self._texts.pop(path, None)
        self._glances.pop(path, None)
        kept = self._kept.pop(path, None)
        if kept is not None:
            self._size -= len(kept.text)
            self._dropped += [kept.module] if kept.module is not None else []

    def look_again(self) -> None:
        """There may be files that were not there, and others gone."""
        self.imports = Imports(self.root)

    def load(self, path: Path) -> tuple[Module | None, str | None]:
        """The outline of a file, None if it cannot be read or parsed, and the content it is of."""
        self._asked[path] += 1
        kept = self._kept.get(path)
        if kept is None or kept.content == "":
            kept = self._read(path)
        self._keep(path, kept)
        return kept.module, kept.content

    def load_caller(self, path: Path) -> tuple[Module | None, str | None]:
        """The same of a file that may call what another one defines."""
        self._has_callers = True
        return self.load(path)

    @property
    def _most(self) -> float:
        return KEPT * MORE if self._has_callers else KEPT

    def face(self, path: str) -> str | None:
        """A name for the face of a file of which the outline is kept; None for others."""
        kept = self._kept.get(self.at(path))
        if kept is None or kept.module is None:
            return None
        kept.face = kept.face or face_of(kept.text, kept.module)
        return kept.face

    def glance(self, path: Path) -> tuple[Glance, str] | None:
        """A look at the text of a file, and its content; None where it cannot be read."""
        found = self._glances.get(path)
        if found is None:
            try:
                data = self._content(path)
            except OSError:
                return None
            content = self._names.of(path, data)
            has_star = b"*" in data and _STAR.search(data) is not None
            found = self._glances[path] = Glance(self._may_bind(path, content, has_star=has_star)), content
        return found

    def _may_bind(self, path: Path, content: str, *, has_star: bool) -> Callable[[str], bool]:
        known: dict[str, bool] = {}

        def may_say(word: str) -> bool:
            if has_star or not word.isascii():
                return True
            if word not in known:
                known[word] = self._is_bound(path, content, word)
            return known[word]

        return may_say

    def _is_bound(self, path: Path, content: str, word: str) -> bool:
        """Whether a content of a file may bind a name; where the file has changed since, nobody knows."""
        try:
            data = self._content(path)
        except OSError:
            return True
        return may_bind(data, word.encode("ascii")) or not content.startswith(digest([data]))

    def may_name(self, path: Path, name: str, sort: Sort) -> tuple[bool, str | None]:
        """Whether a file may use what has a name, as far as a look at its text tells, and its content."""
        known = self._uses.setdefault(path, {})
        if (name, sort) not in known:
            known[name, sort] = self._looked_at(path, name, sort)
        return known[name, sort]

    def _looked_at(self, path: Path, name: str, sort: Sort) -> tuple[bool, str | None]:
        kept, hands_on = self._kept.get(path), self.imports.is_packaged
        if kept is not None and kept.module is not None and kept.content:
            return may_name(kept.text, name, sort, hands_on=hands_on), kept.content
        try:
            text, content = self._recent(path)
        except OSError:
            return True, None
        return may_name(text, name, sort, hands_on=hands_on), content

    def _recent(self, path: Path) -> tuple[str, str]:
        """The text of a file of which there is no outline, and its content; a name that is ASCII is the same in it."""
        found = self._texts.pop(path, None)
        if found is None:
            data = self._content(path)
            found = data.decode("latin-1"), self._names.of(path, data)
        self._texts[path] = found  # the one asked for last stands last
        while len(self._texts) > RECENT:
            del self._texts[next(iter(self._texts))]
        return found

    def tidy(self, resting: Callable[[], Counter[Module]]) -> list[Module]:
        """Between two files, when nobody looks into an outline: let go of what is seldom asked for; what that is.

        What little rests on goes first, for that goes with it: `resting` says how many other modules there are on each of which
        something is known that stands on one. A file of tests for which no other has asked goes once it is linted: few are imported.
        """
        if self._test is not None and self._test in self._kept and not self._asked[self._test]:
            self._drop(self._test)
        if self._size > self._most:
            above = resting()
            order = sorted((_rests(above, kept), kept.worth, path) for path, kept in self._kept.items())
            for _, _, path in order[:-1]:
                if self._size <= self._most:
                    break
                self._drop(path)
        dropped, self._dropped = self._dropped, []
        for each in dropped:
            each.forget()
        return dropped

    def _keep(self, path: Path, kept: _Kept) -> None:
        before = self._kept.pop(path, None)
        if before is not None and before.module is not None and before.module is not kept.module:
            self._dropped.append(before.module)
        kept.worth = self._gone + self._asked[path]
        self._size += len(kept.text) - (len(before.text) if before is not None else 0)
        self._kept[path] = kept
        while self._size > 2 * self._most and len(self._kept) > 1:
            self._drop(min(self._kept.items(), key=lambda each: each[1].worth)[0])

    def _drop(self, path: Path) -> None:
        kept = self._kept.pop(path)
        self._gone = max(self._gone, kept.worth)
        self._size -= len(kept.text)
        if kept.module is not None:
            self._dropped.append(kept.module)

    def _read(self, path: Path) -> _Kept:
        try:
            data = self._content(path)
        except OSError:
            return _Kept(None, "", None)
        content = self._names.of(path, data)
        try:
            text = decode(data).text
        except UndecodableError:
            return _Kept(None, "", content)
        inside = path.relative_to(self.root) if path.is_relative_to(self.root) else path
        called = inside.as_posix()
        return _Kept(self.known(path, text, called) or self._outline(path, text, called), text, content)

    def _content(self, path: Path) -> bytes:
        return self._typed[path] if path in self._typed else read_file(path, LARGEST)

    def _outline(self, path: Path, text: str, called: str) -> Module | None:
        try:
            tree = by_python(Source(text))
        except (SyntaxError, SyntaxFault, ValueError, RecursionError, MemoryError):
            return None
        try:
            return Module(tree, called, self.name_of(path), text)
        except GaveUpError:
            return None


def _rests(above: Counter[Module], kept: _Kept) -> int:
    return above[kept.module] if kept.module is not None else 0
