"""Answers about modules that several files of a run import: worked out for the first that asks, kept for the others.

    first.py   imports layers.py   what `Layer.forward` gives is worked out, with what that stands on: the names that
                                   were asked, and the modules that they meant
    second.py  imports layers.py   each of these names means the same module here: the answer is taken as it is, and
                                   what it stands on counts for `second.py` as if it had been asked anew

An answer about a module is the same whoever asks: nothing in it tells of which file is linted, or who called. One that
stands on a name that means something else here, or on a module that was read anew, is not taken. What is kept is of
modules in use, and bounded: whole modules are let go of, those that nobody asked about for longest first.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.facts.index.glance import Glance
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.program import Program
from torchperf_lint.facts.interpret.recorded import Recorded
from torchperf_lint.facts.interpret.table import Answer, Table

if TYPE_CHECKING:
    from collections.abc import Callable

MOST: Final = 150_000
"""So many answers, and values in them, are kept."""
VIEWS: Final = 4
"""So many answers about one key: what `import utils` means, and so what stands on it, may be something else in each folder."""


class _Known:
    """What is kept of one module."""

    __slots__ = ("answers", "needs", "size", "used")

    def __init__(self) -> None:
        self.answers: dict[tuple[Any, Any], tuple[Answer, ...]] = {}
        """By the table and the key: what was found last stands first."""
        self.needs: set[Module] = set()
        """The modules that the answers stand on directly."""
        self.size = 0
        self.used = 0
        """When somebody asked last."""


class SharedAnswers:
    """What is kept from file to file, by module."""

    def __init__(self) -> None:
        self._of: dict[Module, _Known] = {}
        self._size = 0
        self._files = 0

    def begin(self) -> None:
        """A file is linted."""
        self._files += 1

    def find(self, home: Module | None, table: Table, key: Any) -> tuple[Answer, ...]:
        """What was found about a key: names may have meant other modules for each of those who asked."""
        known = self._of.get(home) if home is not None else None
        if known is None:
            return ()
        known.used = self._files
        return known.answers.get((table.compute, key), ())

    def keep(self, home: Module, table: Table, key: Any, answer: Answer) -> None:
        known = self._of.get(home)
        if known is None:
            known = self._of[home] = _Known()
        known.used = self._files
        before = known.answers.get((table.compute, key), ())
        size = _size(answer) - sum(map(_size, before[VIEWS - 1 :]))
        known.size += size
        self._size += size
        known.answers[table.compute, key] = (answer, *before[: VIEWS - 1])
        known.needs |= _modules(answer)

    def forget(self, modules: list[Module]) -> None:
        """Modules are let go of, or were read anew: so is all that stands on them."""
        gone, todo = set(modules), set(modules)
        while todo:
            todo = {home for home, known in self._of.items() if home not in gone and not todo.isdisjoint(known.needs)}
            gone |= todo
        for each in gone:
            self._let_go(each)

    def resting(self) -> Counter[Module]:
        """On how many other modules something is known that stands on a module."""
        found: Counter[Module] = Counter()
        for home, known in self._of.items():
            found.update(known.needs - {home})
        return found

    def tidy(self) -> None:
        """Between two files: keep what was asked about lately."""
        if self._size <= MOST:
            return
        for home in [home for home, _ in sorted(self._of.items(), key=_when_used)]:
            if self._size <= MOST:
                return
            self._let_go(home)

    def _let_go(self, home: Module) -> None:
        known = self._of.pop(home, None)
        self._size -= known.size if known is not None else 0


def _when_used(entry: tuple[Module, _Known]) -> int:
    return entry[1].used


def _modules(answer: Answer) -> set[Module]:
    """The modules that an answer stands on, through answers that are about none: of a circle each in it asks for all of them."""
    todo = _unknown(answer)
    while todo:
        each = todo[-1]
        below = _unknown(each) if each.modules is None else []
        if each.modules is None and not below:
            each.modules = frozenset(_direct(each))
        if each.modules is not None:
            todo.pop()
        todo += below
    return _direct(answer)


def _unknown(answer: Answer) -> list[Answer]:
    """The answers that are about none, of which nobody has asked that yet."""
    return [need for need in answer.needs if need.home is None and need.modules is None]


def _direct(answer: Answer) -> set[Module]:
    """The same where that is known of the answers that are about none."""
    found = {module for module in answer.lookups.values() if isinstance(module, Module)}
    for need in answer.needs:
        if need.home is not None:
            found.add(need.home)
        elif need.modules:
            found |= need.modules
    return found


def _size(answer: Answer) -> int:
    return 1 + len(answer.value.values) if isinstance(answer.value, Recorded) else 1


class FileAsCalled:
    """What lies around the tables of a file where its callers are asked: only what stands in it may be something else for that.

    So all that is about other modules is what it is for the plain analysis of the file, and nothing is kept for other files.
    """

    def __init__(self, program: Program, module: Module, plain: Callable[[Table, Any], Answer]) -> None:
        self.program = program
        self.linted = module
        self._plain = plain

    def module(self, name: str) -> Any:
        return self.program.module(name)

    def has_outline(self, name: str) -> bool:
        return self.program.has_outline(name)

    def glance(self, name: str) -> Glance | None:
        return self.program.glance(name)

    def note(self, name: str) -> None:
        self.program.note(name)

    def shared(self, table: Table, key: Any) -> tuple[Answer, ...]:
        home = table.home(key)
        return (self._plain(table, key),) if home is not None and home is not self.linted else ()

    def share(self, table: Table, key: Any, answer: Answer) -> None:
        pass


class FileWorld:
    """What lies around the tables of one linted file: its program, and what was found for other files."""

    def __init__(self, program: Program, linted: Module | None, shared: SharedAnswers | None) -> None:
        self.program = program
        self.linted = linted
        """The file of which nothing is kept; None where it is a neighbour of the linted one, which others may ask about too."""
        self.answers = shared
        if shared is not None:
            shared.begin()

    def module(self, name: str) -> Any:
        return self.program.module(name)

    def has_outline(self, name: str) -> bool:
        return self.program.has_outline(name)

    def glance(self, name: str) -> Glance | None:
        return self.program.glance(name)

    def note(self, name: str) -> None:
        self.program.note(name)

    def shared(self, table: Table, key: Any) -> tuple[Answer, ...]:
        return self.answers.find(table.home(key), table, key) if self.answers is not None else ()

    def share(self, table: Table, key: Any, answer: Answer) -> None:
        if self.answers is not None and answer.home is not self.linted:
            self.answers.keep(answer.home, table, key, answer)
