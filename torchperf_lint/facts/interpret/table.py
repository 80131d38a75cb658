"""Where answers stand: a table for each question, and a frame for each answer that is still being worked out.

What is worked out, and in which order, is for the `solver`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.index.looks import Looker

_NONE: Final[tuple[Any, ...]] = ()
WIDENED: Final = 4
"""What has changed so often is joined with what it was from then on."""
CHANGES: Final = 50
"""So often nothing changes: what is joined can change about a dozen times."""


class Answer(Looker):
    """What was found about a key, and what that stands on: enough to tell whether it still holds, and for whom."""

    __slots__ = ("about", "foreign", "home", "lookups", "modules", "needs", "steps", "told", "value")

    def __init__(self, home: Any, value: Any, about: tuple[Any, Any] | None = None) -> None:
        self.looked = None
        self.about = about
        """The question and the key; None for what stands for a circle."""
        self.foreign: tuple[Answer, ...] = _NONE
        """Those of the answers that were read for it which speak of another module."""
        self.told: tuple[str, str] | None = None
        """The question and the answer as `told` writes them, once somebody has asked; empty where they have no such form."""
        self.home = home
        """The module that it speaks of; None where it is about none."""
        self.modules: frozenset[Any] | None = None
        """Of one that is about none: those that it stands on, once somebody has asked."""
        self.value = value
        self.needs: set[Answer] = set()
        """The answers that were read for it, when it was worked out last."""
        self.lookups: dict[str, Any] = {}
        """The names that were asked of the program for it, and the module that each stood for, or the look at its text: that for the
        word behind the colon."""
        self.steps: dict[object, int] = {}
        """How many steps that takes, those for other answers aside: by the key, or by each of a circle."""


class Table:
    """All answers to one question, by what it is asked about."""

    __slots__ = ("changed", "compute", "has_parts", "home", "known", "open", "start", "widen")

    def __init__(
        self,
        compute: Callable[[Any, Any], Any],
        start: Any,
        changed: Callable[[Any, Any, Iterable[Any]], list[Any]],
        widen: Callable[[Any, Any], Any],
        home: Callable[[Any], Any] = lambda _: None,
        *,
        has_parts: bool = False,
    ) -> None:
        self.compute = compute
        """Works out the answer about a key, for who asks: no table holds who it belongs to, or they would hold each other."""
        self.home = home
        """The module that a key is about; None where it is about none."""
        self.start = start
        """What is said of a key before anything is known of it."""
        self.changed = changed
        """Which of some parts of an old and a new answer differ."""
        self.widen = widen
        self.has_parts = has_parts
        """Who reads an answer reads a part of it, and says which."""
        self.known: dict[Any, Answer] = {}
        """The answers that are final."""
        self.open: dict[Any, Frame] = {}


class Frame:
    """A key that is being worked out, or that belongs to a circle that is."""

    __slots__ = (
        "answer",
        "asker",
        "changes",
        "index",
        "is_fed",
        "is_new",
        "is_read",
        "is_stale",
        "is_starved",
        "key",
        "lookups",
        "low",
        "needs",
        "number",
        "readers",
        "steps",
        "table",
        "value",
    )

    def __init__(self, table: Table, key: Any, index: int, asker: Any) -> None:
        self.table = table
        self.key = key
        self.asker = asker
        self.value: Any = table.start
        self.answer = Answer(table.home(key), table.start, (table.compute, key))
        """What it will be known as."""
        self.needs = self.answer.needs
        self.lookups = self.answer.lookups
        self.steps = 0
        """These three: of the last time that it was worked out."""
        self.number = index
        """Keys are numbered in the order in which they are met."""
        self.index = index
        self.low = index
        """The first of all open keys that this one stands on."""
        self.changes = 0
        self.is_new = True
        """It was not worked out even once."""
        self.is_read = False
        self.is_stale = False
        """It read something before that was worked out."""
        self.is_starved = False
        """It got BOTTOM for an answer."""
        self.is_fed = False
        """Who reads BOTTOM of it gets ANY: nothing else will come."""
        self.readers: dict[Any, set[Frame]] = {}
        """Who has read it, by the part of it; None stands for all of what has no parts."""

    def take(self, value: Any) -> list[Frame]:
        """Take over what was worked out anew; who has read what has changed by that."""
        is_joined = self.is_fed or self.changes >= WIDENED
        new = self.table.widen(self.value, value) if is_joined else value
        parts = self.table.changed(self.value, new, self.readers)
        self.value = new
        if parts:
            self.changes += 1
            if self.changes > CHANGES:
                raise GaveUpError
        return [reader for part in parts for reader in self.readers.get(part, ())]

    def finish(self) -> Answer:
        """Write what was worked out last into the answer."""
        answer = self.answer
        answer.value, answer.needs, answer.lookups = self.value, self.needs, self.lookups
        answer.foreign = tuple([each for each in self.needs if each.home is not None and each.home is not answer.home])
        answer.steps = {(self.table.compute, self.key): self.steps} if self.steps else {}
        self.readers.clear()  # they hold each other
        return answer


def met(frame: Frame) -> int:
    """When a key was met."""
    return frame.number
