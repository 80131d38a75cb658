"""The files around a linted one that may call what it defines, each with an analysis of its own.

    engine.py     for batch in loader: step(batch)       analysed as if it were linted: its imports mean what they mean there
    steps.py      def step(batch): ...                   linted; asks here who calls `step`

Each has the budget that its own length allows, and what takes more is unknown; so are files that are too large, or do not
parse. What is read on the way is written down for the linted file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from weakref import ref

from torchperf_lint.facts.index.program import Program
from torchperf_lint.facts.project.asked import (
    COMPILERS,
    MANY,
    OPEN,
    TOLD,
    USED,
    asked,
    asked_key,
    asked_open,
    asked_use,
    asked_word,
)
from torchperf_lint.facts.project.imports import CallersRead, Reads
from torchperf_lint.facts.project.mentions import Sort
from torchperf_lint.facts.project.project import Project
from torchperf_lint.facts.project.surroundings import Surroundings, Tell, Told
from torchperf_lint.facts.project.test_files import is_test

if TYPE_CHECKING:
    import ast

    from torchperf_lint.facts.index.module import Module
    from torchperf_lint.facts.index.scopes import Function
    from torchperf_lint.facts.interpret.analysis import Analysis
    from torchperf_lint.facts.project.index import Index

Analyse = Callable[[Program, "Module"], "Analysis"]

MOST: Final = 200
"""So many files are analysed for one that is linted, whatever its functions are called by."""
FEW: Final = 2
"""So many files that say a name are read to see whether something uses what says it."""


class Neighbours:
    """The callers of one linted file, and theirs."""

    def __init__(self, project: Project, path: Path, reads: Reads, analyse: Analyse) -> None:
        self._project = project
        self._reads = reads
        self._analyse = analyse
        self._linted = str(path.absolute())
        self._known: dict[str, Analysis | None] = {}
        self._around: dict[str, Surroundings] = {}
        self._as_called: dict[tuple[Module, int], Analysis] = {}
        self.sites: dict[tuple[Function, int], list[tuple[Analysis, ast.Call]]] = {}
        """Of functions that somebody has asked about: what may call them in other files. Kept here, so that no two analyses hold each
        other: only the garbage collector would end that, and it is off during a run."""

        self.answers: dict[tuple[object, ...], Any] = {}
        """Of other questions those whose answers hold analyses, for the same reason."""

        self.handed: dict[Function, set[ast.Call]] = {}
        """Those of them that call what was handed to their function."""

    def start(self, linted: Analysis, around: Surroundings) -> None:
        """Let the linted file itself be one of the callers."""
        self._known[self._linted], self._around[self._linted] = linted, around
        linted.around = ref(self)

    def write_down(self, looked: set[Module] | None, tell: Tell) -> None:
        """Write down what was asked of other files, for the linted one and its callers, and what they told."""
        known = [each for each in (*self._known.values(), *self._as_called.values()) if each is not None]
        room = min(each.solver.steps.room for each in known)
        if room > 0:
            told = Told(self._project, looked, tell)
            for path, around in self._around.items():
                analysis = self._known[path]
                assert analysis is not None
                told.add(around, analysis.program)
            self._reads.asked = told.questions(room)

    def callers(self, analysis: Analysis, name: str, owner: str | None, most: int = MANY) -> list[Analysis]:
        """The analyses of files that may call what a file defines under a name, in a class or not; no more than so many."""
        found = [self._analysis(each) for each in self._users(analysis, name, owner, most)]
        return [each for each in found if each is not None]

    def names_all(self, analysis: Analysis, name: str, owner: str | None) -> bool:
        """Whether no other files may call that than those of `callers`: the index names them all; none is read for that."""
        path = self._path(analysis.module)
        return self._note(asked(path, name, owner, MANY)).names_all(path, name, owner)

    def can_read_all(self, analysis: Analysis, name: str, owner: str | None) -> bool:
        """Whether each file that the index names can be read."""
        return all(self._analysis(each) is not None for each in self._users(analysis, name, owner, MANY))

    def as_called(self, analysis: Analysis, away: int) -> Analysis:
        """What is known of a file by what its callers, so many files away, pass; the plain analysis where nobody asks them."""
        if not away:
            return analysis
        key = (analysis.module, away)
        if key not in self._as_called:
            self._as_called[key] = analysis.as_called(away)
            self._as_called[key].around = ref(self)
        return self._as_called[key]

    def has_callers(self, analysis: Analysis, name: str, owner: str | None) -> bool:
        """Whether any other file may call what a file defines; none is read for that."""
        return bool(self._named(analysis, name, owner))

    def is_used(self, analysis: Analysis, name: str, owner: str | None, about: str = USED) -> bool:
        """Whether another file may use, or run, what a file defines under a name; without one, whether it may import the file. A few
        files that say the name are looked at as texts."""
        path = self._path(analysis.module)
        question = asked_use(path, name, owner, about)
        index = self._note(question)
        if not index.answer(question):
            return False
        saying, sort = index.users(path, name, owner, about), _sort(name, owner, about)
        if saying is None or (not name and index.taking.importing(path, saying)):
            return True
        return any(self._may_name(each, name or Path(path).stem, sort) for each in saying)

    def importers(self, analysis: Analysis) -> list[Analysis] | None:
        """The files that may import a file; None where not all are known, few and no tests, or a text of another one names it."""
        path = self._path(analysis.module)
        index = self._note(asked_use(path, "", None))
        saying = index.users(path, "")
        importing = index.taking.importing(path, saying or ())
        if saying is None or len(importing) > FEW or any(map(is_test, importing)):
            return None
        if any(self._may_name(each, Path(path).stem, "file") for each in saying if each not in importing):
            return None
        found = [self._analysis(each) for each in importing]
        return [each for each in found if each is not None] if None not in found else None

    def users(self, analysis: Analysis, name: str, about: str) -> list[Analysis]:
        """The files that may use what one defines on its top, where all of them are known, few, and can be read; none otherwise."""
        path = self._path(analysis.module)
        saying = self._note(asked_use(path, name, None, about)).users(path, name, None, about) or ()
        sort = _sort(name, None, about)
        using = list(islice((each for each in saying if self._may_name(each, name, sort)), FEW + 1))
        if len(using) > FEW:
            for each in using:  # none of them is read: that they may use it is all that is said
                self._looked_at(each, name, sort)
            return []
        found = [self._analysis(each) for each in using]
        return [each for each in found if each is not None] if None not in found else []

    def names_users(self, analysis: Analysis, name: str, about: str) -> bool:
        """Whether it is known which files use, or run, what one defines on its top: no text of the project may name it; none is read."""
        path = self._path(analysis.module)
        return self._note(asked_use(path, name, None, about)).users(path, name, None, about) is not None

    def is_open(self, analysis: Analysis) -> bool:
        """Whether others may install the project, and call what it defines; none is read for that."""
        question = asked_open(self._path(analysis.module))
        return self._note(question).answer(question) == OPEN

    def is_told(self, analysis: Analysis) -> bool:
        """Whether the project is a program that nobody installs, and whoever asks for something by its name says that in a file or
        a text that is known; none is read for that."""
        question = asked_open(self._path(analysis.module))
        return self._note(question).answer(question) == TOLD

    def is_said(self, analysis: Analysis, word: str) -> bool:
        """Whether another file that imports a file says a word; none is read for that."""
        question = asked_word(self._path(analysis.module), word)
        return bool(self._note(question).answer(question))

    def is_said_anywhere(self, word: str) -> bool:
        """Whether any file of the project, tests aside, says a word; none is read for that."""
        question = asked_word("", word)
        return bool(self._note(question).answer(question))

    def given(self, analysis: Analysis, key: str) -> list[object] | None:
        """What the settings of the project give a key, where they all switch it off; None where another file says it, and may set it. What
        a dataclass holds by default is what it has only where no file gives it another value."""
        path = self._path(analysis.module)
        index = self._note(asked_key(path, key))
        found = index.keys.by_all(path, key)
        saying = index.keys.saying_field(key) if found else ()
        return None if any(self._may_name(each, key, "field") for each in saying) else found

    def compilers(self, module: Module) -> list[Analysis]:
        """The analyses of files that may compile what a file defines."""
        found = [self._analysis(each) for each in self._compiling(module)]
        return [each for each in found if each is not None]

    def may_be_compiled(self, module: Module) -> bool:
        """Whether any other file may compile what a file defines; none is read for that."""
        return bool(self._compiling(module))

    def _named(self, analysis: Analysis, name: str, owner: str | None, most: int = MANY) -> tuple[str, ...]:
        """The files that the index names; what it was asked is written down."""
        path = self._path(analysis.module)
        return self._note(asked(path, name, owner, most)).callers(path, name, owner, most)

    def _users(self, analysis: Analysis, name: str, owner: str | None, most: int) -> Iterator[str]:
        """Those of them that may call it, by a closer look at how they say its name: most files that do have one of their own. What
        is callable by its class is called by other names."""
        named = self._named(analysis, name, owner, most)
        return (each for each in named if name == owner or self._may_name(each, name, "call"))

    def _may_name(self, path: str, name: str, sort: Sort) -> bool:
        """Whether a file may use what has a name, by its words; what is not read further is written down all the same."""
        found = self._project.may_name(self._project.at(path), name, sort)[0]
        if not found:
            self._looked_at(path, name, sort)
        return found

    def _looked_at(self, path: str, name: str, sort: Sort) -> None:
        """Write down that something stands on how a file says a name."""
        content = self._project.may_name(self._project.at(path), name, sort)[1]
        self._callers_read().files.setdefault(path, (content, Reads()))

    def _compiling(self, module: Module) -> tuple[str, ...]:
        path = self._path(module)
        return self._note(asked(path, COMPILERS, None)).compilers(path)

    def _note(self, question: str) -> Index:
        """The index, once it is written down what it is asked."""
        index, read = self._project.index(), self._callers_read()
        read.index, read.asked[question] = index.digest, index.answer(question)
        return index

    def home(self, module: Module) -> Analysis | None:
        """The analysis of the file that a module of the program was read from."""
        return self._analysis(self._path(module))

    def read_at(self, path: str) -> Analysis | None:
        """The analysis of a file of the project, by its path in it."""
        return self._analysis(str(self._project.root / path))

    def _callers_read(self) -> CallersRead:
        if self._reads.callers is None:
            self._reads.callers = CallersRead()
        return self._reads.callers

    def _path(self, module: Module) -> str:
        return self._project.full(module.path)

    def _analysis(self, path: str) -> Analysis | None:
        if path not in self._known:
            self._known[path] = self._made(self._project.at(path)) if len(self._known) < MOST else None
        return self._known[path]

    def _made(self, path: Path) -> Analysis | None:
        module, content = self._project.load_caller(path)
        reads = Reads()
        self._callers_read().files[str(path)] = (content, reads)
        if module is None:
            return None
        around = Surroundings(self._project, path, reads)
        program = Program(around.module, around.note, around.glance)
        program.add(module)
        analysis = self._analyse(program, module)
        self._around[str(path)] = around
        analysis.around = ref(self)
        return analysis


def _sort(name: str, owner: str | None, about: str) -> Sort:
    if owner is not None:
        return "method"
    if not name:
        return "file"
    return "top" if about == USED else "run"
