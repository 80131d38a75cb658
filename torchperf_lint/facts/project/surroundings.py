"""The project as one linted file sees it, and what its findings stand on there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchperf_lint.facts.project.imports import Reads
from torchperf_lint.facts.project.questions import FACE, Questions

if TYPE_CHECKING:
    from torchperf_lint.facts.index.glance import Glance
    from torchperf_lint.facts.index.module import Module
    from torchperf_lint.facts.index.program import Program
    from torchperf_lint.facts.project.project import Project

Tell = Callable[[Any], tuple[str, str] | None]
"""What an answer was asked, and what it told, as texts; None where it has no such form."""


class Surroundings:
    """The project as one linted file, or a caller of it, sees it; writes down what it was asked."""

    def __init__(self, project: Project, path: Path, reads: Reads | None = None) -> None:
        self._project = project
        path = path.absolute()
        self._near = str(path)
        self._view = project.imports.seen_from(path.parent)
        self.reads = reads if reads is not None else Reads()
        self.reads.name = project.name_of(path)
        self._found: dict[str, tuple[str, str | None]] = {}
        self.words: dict[str, set[str]] = {}
        """By file, words that its text does not bind."""
        self.outlined: set[str] = set()
        """The files that what is found stands on by their outlines."""

    def module(self, name: str) -> Module | None:
        """The outline of the module that a dotted name stands for."""
        if not self._view.has_trace(name.partition(".")[0]):
            return None
        path = self._view.find(name, self._near)
        module, content = self._project.load(self._project.at(path)) if path else (None, None)
        self._found[name] = (path, content)
        return module

    def glance(self, name: str) -> Glance | None:
        """A look at the text of the module that a dotted name stands for."""
        path = self._view.find(name, self._near)
        found = self._project.glance(self._project.at(path)) if path else None
        if found is None:
            return None
        self._found.setdefault(name, (path, found[1]))
        return found[0]

    def note(self, asked: str) -> None:
        """Write down that what is found stands on what a name means, which was asked before; behind a colon stands a word that
        its text does not bind."""
        name, _, word = asked.partition(":")
        found = self._found.get(name)
        if found is None:
            self.reads.absent.add(name.partition(".")[0])
            return
        self.reads.found[name] = found
        if word:
            self.words.setdefault(found[0], set()).add(word)
        else:
            self.outlined.add(found[0])


class Told:
    """What was asked of other files for a linted file and its callers, and what they told; one that was looked into, or of which
    something has no form, is left out."""

    def __init__(self, project: Project, looked: set[Any] | None, tell: Tell) -> None:
        self._project = project
        self._tell = tell
        self._answers: set[Any] = set()
        self._seen: set[Any] = set(looked or ())
        self._asked: dict[str, dict[str, str]] = {}
        self._outlined: set[str] = set()

    def add(self, around: Surroundings, program: Program) -> None:
        """What one of them asked."""
        self._answers |= {each for each in program.answers if each.home is not None and each.home not in program.own}
        self._seen |= program.looked
        self._outlined |= around.outlined
        for path, words in around.words.items():
            self._asked.setdefault(path, {}).update((f":{word}", str(False)) for word in words)

    def questions(self, room: int) -> Questions:
        """All of it; nobody asks after that."""
        asked, full = self._asked, self._project.full
        whole = {full(each.path) for each in self._seen if not isinstance(each, tuple)}
        for each in self._answers:
            path = full(each.home.path)
            self._outlined.add(path)
            if path in whole:
                continue
            told = self._tell(each)
            if told is None:
                whole.add(path)
            else:
                asked.setdefault(path, {})[told[0]] = told[1]
        for module, question, answer in (each for each in self._seen if isinstance(each, tuple)):
            asked.setdefault(full(module.path), {})[question] = answer
        for path in self._outlined - whole:
            face = self._project.face(path)
            if face is None:
                whole.add(path)
            else:
                asked.setdefault(path, {})[FACE] = face
        return Questions({path: asked[path] for path in asked.keys() - whole}, room)
