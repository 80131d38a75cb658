"""Answers that were found for another file of the run: whether they hold for this one, and what this one then stands on."""

from __future__ import annotations

from typing import Any, Protocol

from torchperf_lint.facts.index.glance import Glance
from torchperf_lint.facts.interpret.circles import circles
from torchperf_lint.facts.interpret.table import Answer, Table


class World(Protocol):
    """What lies around the tables of one linted file."""

    program: Any
    """The modules; what is read of them, and which are looked into, is written down there."""

    @property
    def linted(self) -> Any:
        """The file of which nothing is kept; None where it is a neighbour of the linted one, which others may ask about too."""

    def module(self, name: str) -> Any:
        """What a name means in the program."""

    def has_outline(self, name: str) -> bool:
        """Whether what a name means was asked before, so that nothing is saved by a look at its text."""

    def glance(self, name: str) -> Glance | None:
        """A look at the text of what a name means."""

    def note(self, name: str) -> None:
        """Write down that what is found stands on a name."""

    def shared(self, table: Table, key: Any) -> tuple[Answer, ...]:
        """What was found about a key for other files."""

    def share(self, table: Table, key: Any, answer: Answer) -> None:
        """Keep an answer for other files."""


class Borrowing:
    """What one linted file takes over, and what all that is found for it stands on."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._read, self._looked = world.program.answers, world.program.looked
        self._noted: set[Answer] = set()
        """Answers of which is written down what they stand on."""
        self._counted: set[object] = set()
        """The keys that have been counted: two answers may stand for one circle, as it was met from two files."""
        self._taken: set[Answer] = set()
        """Answers that were found for another file, and hold here."""

    def meant(self, name: str, word: str | None) -> tuple[Any, str]:
        """What a name means in the program, its outline, or the look at its text that tells that it does not bind a word; and how
        that is written down."""
        if word is not None and not self._world.has_outline(name):
            glance = self._world.glance(name)
            if glance is not None and not glance.may_bind(word):
                return glance, f"{name}:{word}"
        return self._world.module(name), name

    def take(self, table: Table, key: Any) -> Answer | None:
        """What was found about a key for another file, if all that it stands on is the same here."""
        for answer in self._world.shared(table, key):
            if self._holds(answer):
                table.known[key] = answer
                return answer
        return None

    def _holds(self, answer: Answer) -> bool:
        """Whether each name that an answer stands on means the same module here."""
        seen, todo = {answer}, [answer]
        while todo:
            each = todo.pop()
            for asked, found in each.lookups.items():
                if isinstance(found, Glance):
                    meant: Any = self._world.glance(asked.partition(":")[0])
                else:
                    meant = self._world.module(asked)
                if meant is not found:
                    return False
            new = each.needs - self._taken - seen
            seen |= new
            todo += new
        self._taken |= seen
        return True

    def note(self, answer: Answer) -> int:
        """Write down what an answer stands on, all the way; how many steps that takes, whoever took them."""
        self._read.add(answer)
        if answer in self._noted:
            return 0
        self._noted.add(answer)
        steps, todo = 0, [answer]
        while todo:
            each = todo.pop()
            for key in each.steps.keys() - self._counted:
                self._counted.add(key)
                steps += each.steps[key]
            for name in each.lookups:
                self._world.note(name)
            if each.foreign:
                self._read.update(each.foreign)
            if each.looked:
                self._looked.update(each.looked)
            new = each.needs - self._noted
            self._noted |= new
            todo += new
        return steps


def condense(answers: list[Answer]) -> None:
    """Let each circle among some answers stand as one answer behind those in it: what that stands on is what each stands on.

    So answers never hold each other in a circle, which only the garbage collector would end, and it is off during a run.
    """
    place = {each: number for number, each in enumerate(answers)}
    graph = {place[each]: [place[need] for need in each.needs if need in place] for each in answers}
    for circle in circles(graph):
        members = [answers[number] for number in circle]
        if len(members) == 1:
            members[0].needs.discard(members[0])
            continue
        together = Answer(None, None)
        for each in members:
            together.needs |= each.needs
            together.lookups.update(each.lookups)
            together.steps.update(each.steps)
            together.foreign += each.foreign
            each.needs, each.lookups, each.steps = {together}, {}, {}
        together.needs.difference_update(members)
        homes = {each.home for each in members}
        if len(homes) > 1:  # none of them has an answer without the others
            together.looked = homes - {None}
