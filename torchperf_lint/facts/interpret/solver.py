"""Answers that stand on one another, whoever is asked first.

What a function returns may stand on what an attribute holds, and that on what the function returns. So each question is
a key of a `Table`, worked out when it is asked, and remembered when it is final. A question that comes back to itself
is part of a circle: there it gets BOTTOM, "nothing yet", and everything that is made of that is BOTTOM too. The circle
is found as Tarjan finds it, all of it, and what read too early is worked out again, in rounds, until none says anything
new; only then are all of them remembered, together.

Answers only grow from BOTTOM on, so what comes out is the least that holds together, and there is but one such: neither
who was asked first nor the order within a round can change it. What has nothing to stand on but itself becomes ANY in
the end, for all of a circle at once, and only grows from there on too. What has changed a few times is joined with what it was, so
that also what does not only grow comes to rest.

A stack is only so deep. Where it would be left, all that is under way is put off, the deepest key first to be worked
out from an empty stack, and then who asked for it. So a chain and a circle of any length are solved. All of that waits for
the end as if it were one circle; what becomes ANY is decided as if each circle in it had been met alone.

With each answer is kept what it stands on: the answers that were read and the names that were asked when it was worked
out last. So the next file of a run need not work out again what was found about the modules that both import; it is
told what that stands on as if it had asked itself (`borrowing.py`).

Knows nothing of Python and nothing of torch. A test holds it against all that is solved at once, in drawn systems.
"""

from __future__ import annotations

import sys
from typing import Any, Final

from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.index.looks import NOW
from torchperf_lint.facts.interpret.borrowing import Borrowing, World, condense
from torchperf_lint.facts.interpret.starved import starved
from torchperf_lint.facts.interpret.steps import Steps
from torchperf_lint.facts.interpret.table import Answer, Frame, Table, met

DEEPEST: Final = 300
"""So many levels, and so many keys, may be under way at once: more would overflow the stack, which ends the process where
this is compiled. The most that was met is 92."""
FRAMES: Final = 10_000
"""So many calls of Python that may take, where this is not compiled."""


class TooDeepError(Exception):
    """Too much is under way at once: all of it is put off."""


class Solver:
    """Works out keys of tables; see the module's first lines."""

    def __init__(self, world: World, limit: int, deepest: int = DEEPEST) -> None:
        self.world = world
        self.borrowing = Borrowing(world)
        self.steps = Steps(limit)
        self._nested = 0
        """Steps for keys that the running one asked for."""
        self._deepest = deepest
        self._running: list[Frame] = []
        self._waiting: list[Frame] = []
        """Open keys in the order in which they were met: those that run, and those of circles not yet closed."""
        self._count = 0
        self._put_off: list[Frame] = []
        """What was under way when the stack was left, the deepest first."""
        self._is_one_circle = True
        """Nothing was put off."""
        self.level = 0
        """How many expressions and blocks are under way, in all functions."""
        self.missing = 0
        """How often BOTTOM was met: what is made of it is BOTTOM too."""

    def ask(self, name: str, word: str | None = None) -> Any:
        """What a name means in the program, for who looks for a word in it alone."""
        found, asked = self.borrowing.meant(name, word)
        if self._running:
            self._running[-1].lookups[asked] = found
        else:
            self.world.note(asked)
        return found

    def find(self, table: Table, key: Any, asker: Any) -> Any:
        """The answer about a key."""
        answer = table.known.get(key)
        if answer is None and key not in table.open:
            answer = self.borrowing.take(table, key)
        if self._running:
            if answer is None:
                return self._found(table, key, asker)
            self._running[-1].needs.add(answer)
            return answer.value
        if answer is None:
            answer = self._from_here(table, key, asker)
        self.steps.count(self.borrowing.note(answer))
        return answer.value

    def _from_here(self, table: Table, key: Any, asker: Any) -> Answer:
        """Work out a key with nothing under way."""
        if sys.getrecursionlimit() < FRAMES:
            sys.setrecursionlimit(FRAMES)
        before = self.steps.taken
        try:
            self._work_out(table, key, asker)
        except BaseException:
            self._forget()
            raise
        finally:
            self.steps.answered(self.steps.taken - before)
        return table.known[key]

    def _work_out(self, table: Table, key: Any, asker: Any) -> None:
        self.level, self._nested, self._is_one_circle = 0, 0, True
        try:
            self._found(table, key, asker)
        except TooDeepError:
            self._is_one_circle = False
        left: list[Frame] = []
        while self._waiting:
            left += reversed(self._put_off)
            self._put_off.clear()
            self.level = self._nested = 0
            try:
                if left:
                    self._work_off(left.pop())
                else:
                    self._settle(self._waiting[0], 0)
            except TooDeepError:
                pass  # what was under way is put off once more, with what it has led to

    def _work_off(self, frame: Frame) -> None:
        """Work out a key that was put off; who read it before follows later."""
        following, _ = self._round([frame], frame.index)
        for each in following:
            each.is_stale = True

    def _forget(self) -> None:
        """Let go of all that is under way: nothing of it may be read later."""
        for each in self._waiting:
            del each.table.open[each.key]
            each.readers.clear()
        self._waiting.clear()
        self._running.clear()
        self._put_off.clear()

    def _found(self, table: Table, key: Any, asker: Any) -> Any:
        frame = table.open.get(key)
        if frame is not None:
            self._running[-1].needs.add(frame.answer)
            return self._read(frame)
        self._count += 1
        frame = Frame(table, key, self._count, asker)
        if self._running:
            self._running[-1].needs.add(frame.answer)
        table.open[key] = frame
        position = len(self._waiting)
        self._waiting.append(frame)
        frame.value = self._computed(frame)
        if frame.low < frame.index:
            self._pass_on(frame)
            return frame.value
        if len(self._waiting) == position + 1 and not frame.is_read:
            self._waiting.pop()
            frame.finish()
            self._close(frame)
            return frame.value
        return self._settle(frame, position)

    def _computed(self, frame: Frame) -> Any:
        missing, before, nested = self.missing, self.steps.taken, self._nested
        around = NOW.enter(frame.answer.home, frame.answer, self.world.linted)
        self._nested = 0
        if not frame.is_new:
            frame.needs, frame.lookups = set(), {}
        self._running.append(frame)
        frame.is_stale = frame.is_starved = False
        try:
            if len(self._running) > self._deepest:
                raise TooDeepError
            value = frame.table.compute(frame.asker, frame.key)
        except TooDeepError:
            if len(self._running) == 1 and not self._put_off:
                raise GaveUpError from None  # this key alone is too deep
            frame.is_stale = True
            frame.needs, frame.lookups = set(), {}
            frame.low = self._waiting[0].index
            self._put_off.append(frame)
            self._running.pop()
            self.missing = missing
            raise
        finally:
            NOW.leave(around)
        frame.is_new = False
        self._running.pop()
        self.missing = missing
        taken = self.steps.taken - before
        frame.steps, self._nested = taken - self._nested, nested + taken
        return value

    def enter(self) -> None:
        """Go one level deeper."""
        self.level += 1
        if self.level > self._deepest:
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
        while due or (fed := starved(self._waiting[position:], is_one_circle=self._is_one_circle)):
            count = len(self._waiting)
            due, low = self._round(due, base) if due else self._feed(fed, base)
            due += [each for each in self._waiting[count:] if each.is_stale]
            low = min([low, *(each.low for each in self._waiting[count:])])
            if low < base:
                return self._handed_on(head, self._waiting[position:], due, low)
        members = self._waiting[position:]
        condense([each.finish() for each in members])
        for each in members:
            self._close(each)
        del self._waiting[position:]
        return head.value

    def _feed(self, fed: list[Frame], base: int) -> tuple[list[Frame], int]:
        """Let such keys be ANY to those who read them; who has to follow, and what they stand on. Each is worked out before any of
        them is more than "nothing yet": whoever came second would read of the first what is more, or less, than ANY."""
        due = [each for each in fed if each.is_starved]
        for each in fed:
            each.is_fed = True
        try:
            values = [self._computed(each) for each in due]
        except TooDeepError:
            for each in fed:
                each.is_fed = False
            for late in due:
                late.is_stale = True
            raise
        following: dict[Frame, None] = {}
        for each, value in zip(due, values, strict=True):
            following.update(dict.fromkeys(each.take(value)))
        following.update(dict.fromkeys(each for each in due if each.is_stale))
        return list(following), min([base, *(each.low for each in due)])

    def _round(self, due: list[Frame], base: int) -> tuple[list[Frame], int]:
        """Work out some keys of a circle from what is said of the others by then; who has to follow, and what they stand on. What was
        met last comes first, so that who asked for it is worked out after it, and not before it as well."""
        following: dict[Frame, None] = {}
        low = base
        for each in sorted(due, key=met, reverse=True):
            following.pop(each, None)
            try:
                value = self._computed(each)
            except TooDeepError:
                for late in (*due, *following):
                    late.is_stale = True
                raise
            low = min(low, each.low)
            following.update(dict.fromkeys(each.take(value)))
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

    def _close(self, frame: Frame) -> None:
        """Remember an answer that is final."""
        del frame.table.open[frame.key]
        frame.table.known[frame.key] = frame.answer
        if frame.answer.home is not None:
            self.world.share(frame.table, frame.key, frame.answer)
