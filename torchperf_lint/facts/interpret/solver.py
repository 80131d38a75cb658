"""Answers that stand on one another, whoever is asked first.

What a function returns may stand on what an attribute holds, and that on what the function returns. So each question is
a key of a `Table`, worked out when it is asked, and remembered when it is final. A question that comes back to itself
is part of a circle: there it gets BOTTOM, "nothing yet", and everything that is made of that is BOTTOM too. The circle
is found as Tarjan finds it, all of it, and what read too early is worked out again, in rounds, until none says anything
new; only then are all of them remembered, together.

Answers only grow from BOTTOM on, so what comes out is the least that holds together, and there is but one such: neither
who was asked first nor the order within a round can change it. What has nothing to stand on but itself becomes ANY in
the end. What has changed a few times is joined with what it was, so that also what does not only grow comes to rest.

Knows nothing of Python and nothing of torch. A test holds it against all that is solved at once, in drawn systems.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any, Final

from torchperf_lint.facts.domain.budget import GaveUpError

WIDENED: Final = 4
"""What has changed so often is joined with what it was from then on."""
DEEPEST: Final = 300
"""So many levels, and so many keys, may be under way at once: more would overflow the stack, which ends the process where
this is compiled. The most that was met is 92."""
FRAMES: Final = 10_000
"""So many calls of Python that may take, where this is not compiled."""
CHANGES: Final = 50
"""So often nothing changes: what is joined can change about a dozen times."""


class TooDeepError(Exception):
    """Too much is under way at once."""


class Table:
    """All answers to one question, by what it is asked about."""

    __slots__ = ("changed", "compute", "has_parts", "known", "open", "start", "widen")

    def __init__(
        self,
        compute: Callable[[Any, Any], Any],
        start: Any,
        changed: Callable[[Any, Any, Iterable[Any]], list[Any]],
        widen: Callable[[Any, Any], Any],
        *,
        has_parts: bool = False,
    ) -> None:
        self.compute = compute
        """Works out the answer about a key, for who asks: no table holds who it belongs to, or they would hold each other."""
        self.start = start
        """What is said of a key before anything is known of it."""
        self.changed = changed
        """Which of some parts of an old and a new answer differ."""
        self.widen = widen
        self.has_parts = has_parts
        """Who reads an answer reads a part of it, and says which."""
        self.known: dict[Any, Any] = {}
        """The answers that are final."""
        self.open: dict[Any, Frame] = {}


class Frame:
    """A key that is being worked out, or that belongs to a circle that is."""

    __slots__ = (
        "asker",
        "changes",
        "index",
        "is_fed",
        "is_new",
        "is_read",
        "is_stale",
        "is_starved",
        "key",
        "low",
        "number",
        "readers",
        "table",
        "value",
    )

    def __init__(self, table: Table, key: Any, index: int, asker: Any) -> None:
        self.table = table
        self.key = key
        self.asker = asker
        self.value: Any = table.start
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


class Solver:
    """Works out keys of tables; see the module's first lines."""

    def __init__(self) -> None:
        self._running: list[Frame] = []
        self._waiting: list[Frame] = []
        """Open keys in the order in which they were met: those that run, and those of circles not yet closed."""
        self._count = 0
        self.level = 0
        """How many expressions and blocks are under way, in all functions."""
        self.missing = 0
        """How often BOTTOM was met: what is made of it is BOTTOM too."""

    def find(self, table: Table, key: Any, asker: Any) -> Any:
        """The answer about a key."""
        if key in table.known:
            return table.known[key]
        if self._running:
            return self._found(table, key, asker)
        if sys.getrecursionlimit() < FRAMES:
            sys.setrecursionlimit(FRAMES)
        wanted: dict[tuple[int, Any], Table] = {(id(table), key): table}
        while wanted:
            (_, last), of = next(reversed(wanted.items()))
            deep = self._attempt(of, last, asker)
            if deep is None:
                wanted.popitem()
            elif (id(deep.table), deep.key) in wanted:
                raise GaveUpError  # a circle so long that it cannot be seen whole
            else:
                wanted[id(deep.table), deep.key] = deep.table
        return table.known[key]

    def _attempt(self, table: Table, key: Any, asker: Any) -> Frame | None:
        """Work out a key with nothing under way; if that leads too deep, the key at which it did: that one comes first."""
        self.level = 0
        try:
            if key not in table.known:
                self._found(table, key, asker)
        except TooDeepError:
            deep = self._running[-1]
            self._forget()
            return deep
        except BaseException:
            self._forget()
            raise
        return None

    def _forget(self) -> None:
        """Let go of all that is under way: nothing of it may be read later."""
        for each in self._waiting:
            del each.table.open[each.key]
            each.readers.clear()
        self._waiting.clear()
        self._running.clear()

    def _found(self, table: Table, key: Any, asker: Any) -> Any:
        frame = table.open.get(key)
        if frame is not None:
            return self._read(frame)
        self._count += 1
        frame = Frame(table, key, self._count, asker)
        table.open[key] = frame
        position = len(self._waiting)
        self._waiting.append(frame)
        frame.value = self._computed(frame)
        if frame.low < frame.index:
            self._pass_on(frame)
            return frame.value
        if len(self._waiting) == position + 1 and not frame.is_read:
            self._waiting.pop()
            _close(frame)
            return frame.value
        return self._settle(frame, position)

    def _computed(self, frame: Frame) -> Any:
        missing = self.missing
        self._running.append(frame)
        if len(self._running) > DEEPEST:
            raise TooDeepError
        frame.is_stale = frame.is_starved = False
        value = frame.table.compute(frame.asker, frame.key)
        frame.is_new = False
        self._running.pop()
        self.missing = missing
        return value

    def enter(self) -> None:
        """Go one level deeper."""
        self.level += 1
        if self.level > DEEPEST:
            raise TooDeepError

    def starve(self) -> None:
        """Say that what runs has met BOTTOM."""
        self.missing += 1
        if self._running:
            self._running[-1].is_starved = True

    def _read(self, frame: Frame) -> Any:
        frame.is_read = True
        reader = self._running[-1]
        reader.is_stale = reader.is_stale or frame.is_new
        self._pass_on(frame)
        return frame.value

    def _pass_on(self, frame: Frame) -> None:
        """Tell who asked for a key that it is still open."""
        reader = self._running[-1]
        reader.low = min(reader.low, frame.low)
        if not frame.table.has_parts:
            frame.readers.setdefault(None, set()).add(reader)

    def read_part(self, table: Table, key: Any, part: Any) -> Frame | None:
        """Say which part of an answer is read; the frame of one that may still change."""
        frame = table.open.get(key)
        if frame is not None and self._running:
            frame.readers.setdefault(part, set()).add(self._running[-1])
        return frame

    def _settle(self, head: Frame, position: int) -> Any:
        """Work out a circle, from its first key on; its other keys wait behind it."""
        base = head.index
        due = [each for each in self._waiting[position:] if each.is_stale]
        while due:
            count = len(self._waiting)
            due, low = self._round(due, base)
            due += [each for each in self._waiting[count:] if each.is_stale]
            low = min([low, *(each.low for each in self._waiting[count:])])
            if low < base:
                return self._handed_on(head, self._waiting[position:], due, low)
            if not due:
                due = [each for each in self._waiting[position:] if each.is_starved and not each.is_fed]
                for each in self._waiting[position:] if due else ():
                    each.is_fed = True
        for each in self._waiting[position:]:
            _close(each)
        del self._waiting[position:]
        return head.value

    def _round(self, due: list[Frame], base: int) -> tuple[list[Frame], int]:
        """Work out some keys of a circle from what is said of the others now; who has to follow, and what they stand on."""
        found = [(each, self._computed(each)) for each in due]
        following: dict[Frame, None] = {}
        low = base
        for each, value in found:
            low = min(low, each.low)
            new = each.table.widen(each.value, value) if each.changes >= WIDENED else value
            parts = each.table.changed(each.value, new, each.readers)
            each.value = new
            if parts:
                each.changes += 1
                if each.changes > CHANGES:
                    raise GaveUpError
            for part in parts:
                following.update(dict.fromkeys(sorted(each.readers[part], key=_met)))
        following.update(dict.fromkeys(each for each in due if each.is_stale))
        return list(following), low

    def _handed_on(self, head: Frame, members: list[Frame], due: list[Frame], low: int) -> Any:
        """Leave a circle to the larger one that it is part of, as it turns out."""
        for each in members:
            each.low = low
        for each in due:
            each.is_stale = True
        self._pass_on(head)
        return head.value


def _met(frame: Frame) -> int:
    return frame.number


def _close(frame: Frame) -> None:
    del frame.table.open[frame.key]
    frame.table.known[frame.key] = frame.value
    frame.readers.clear()  # they hold each other
