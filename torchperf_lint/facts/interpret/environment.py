"""Environments: what each name holds at one point of a function, and what holds where two paths meet.

Beside names an environment holds paths of one attribute, `self.hidden`, as far as the function set them itself.
Knows nothing of syntax.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import compress
from operator import is_not
from typing import Final

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.join import join, join_all
from torchperf_lint.facts.domain.value import ANY, BOTTOM, Value

FEW: Final = 32
"""So many names are copied without a thought."""
NAMES_A_STEP: Final = 16
"""Where all names are gone through, that takes a step for so many of them."""
GONE: Final = Value("unknown")
"""What an environment holds for a name that it no longer has, and copies of it may have."""


class Env:
    """What each name holds at one point of a function.

    There may be thousands of names, and each branch starts from a copy. So copies share what was bound long before,
    `_base`, which nobody changes, and each has for itself what was bound since, `_own`: that alone is copied, and
    compared where branches meet. It becomes part of a new base where it grows beyond the square root of the old one.
    """

    __slots__ = ("_base", "_own", "_spend")

    def __init__(
        self, spend: Callable[[int], None], own: dict[str, Value], base: dict[str, Value] | None = None
    ) -> None:
        self._spend = spend
        self._own = own
        self._base: dict[str, Value] = {} if base is None else base

    def get(self, name: str) -> Value | None:
        """What a name holds; None where it is not bound."""
        held = self._own.get(name)
        if held is None:
            return self._base.get(name)
        return None if held is GONE else held

    def __setitem__(self, name: str, value: Value) -> None:
        self._own[name] = value

    def drop(self, names: Collection[str]) -> None:
        """Let names no longer be bound."""
        self._spend(len(names) // NAMES_A_STEP)
        for name in names:
            if name in self._base:
                self._own[name] = GONE
            else:
                self._own.pop(name, None)

    def copy(self) -> Env:
        """The same, for a branch that goes on from here."""
        if len(self._own) > FEW and len(self._own) ** 2 > len(self._base):
            self._base, self._own = self._whole(), {}
        return self.twin()

    def twin(self) -> Env:
        """The same, apart: what is bound in one is not in the other."""
        return Env(self._spend, dict(self._own), self._base)

    def changes(self, other: Env) -> list[tuple[str, Value | None, Value | None]]:
        """The names that hold something else in another environment: what they hold here, and what there.

        Nearly all hold the very same: these are passed over without a line of Python, and without a look at what they hold.
        """
        if self._base is other._base:
            here, there = self._own, other._own
        else:
            here, there = self._whole(), other._whole()
        names = list(compress(there, map(is_not, map(here.get, there), there.values())))
        if len(there) - sum(name not in here for name in names) < len(here):
            names += here.keys() - there.keys()
        names.sort()
        self._spend(len(names))
        found = [(name, self.get(name), other.get(name)) for name in names]
        return [each for each in found if each[1] is not each[2]]

    def _whole(self) -> dict[str, Value]:
        whole = {**self._base, **self._own}
        for name in [name for name, held in self._own.items() if held is GONE]:
            del whole[name]
        self._spend(len(whole) // NAMES_A_STEP)
        return whole


def merge(first: Env | None, second: Env | None) -> Env | None:
    """What holds where two paths meet."""
    if first is None or second is None or first is second:
        return second if first is None else first
    merged = first.twin()
    for name, a, b in first.changes(second):
        if a is not None and b is not None:
            merged[name] = join(a, b)
        elif "." in name:
            merged.drop((name,))
        elif b is not None:
            merged[name] = b  # bound on one path only: on the other, reading it would raise
    return merged


def merge_all(before: Env, ends: list[Env | None]) -> Env | None:
    """What holds where many paths meet that began with the same names: only what each has changed since is looked at.

    Paths that are merged two by two would each look again at what those before them have changed, and a chain of a
    thousand cases, each of which binds a name of its own, would take the square of that.
    """
    reached = [end for end in ends if end is not None]
    if len(reached) < 2:
        return reached[0] if reached else None
    held: dict[str, list[Value]] = {}
    lost: dict[str, int] = {}
    for end in reached:
        for name, _, value in before.changes(end):
            if value is not None:
                held.setdefault(name, []).append(value)
            else:
                lost[name] = lost.get(name, 0) + 1
    merged = before.twin()
    merged.drop([name for name, count in lost.items() if "." in name or count == len(reached)])
    for name, values in held.items():
        paths = len(values) + lost.get(name, 0)
        old = before.get(name)
        if paths < len(reached) and old is not None:
            values.append(old)
        if "." not in name or (name not in lost and (old is not None or paths == len(reached))):
            merged[name] = join_all(tuple(values))
    return merged


def at_loop_head(head: Env, end: Env) -> Env:
    """What a loop sees at its head from its second turn on: what was there before, and what the turn left.

    A number that comes back as a tensor is an accumulator: likely a tensor from the first turn on.
    """
    merged = merge(head, end)
    assert merged is not None
    for name, before, after in head.changes(end):
        grown = _accumulated(before, after) if before is not None and after is not None else None
        if grown is not None:
            merged[name] = grown
    return merged


def _accumulated(before: Value, after: Value) -> Value | None:
    """What an accumulator is from the first turn on, or an object that has some; None for all else."""
    if before.kind == "number" and after.kind == "tensor":
        return after.but(sure=Sure.LIKELY, rank=None, dtype=None)
    if after.kind == "instance" and isinstance(before.items, dict) and isinstance(after.items, dict):
        joined = join(before, after)
        items = dict(joined.items) if isinstance(joined.items, dict) else {}
        for name, value in after.items.items():
            grown = _accumulated(before.items[name], value) if name in before.items else None
            items[name] = grown or items[name]
        return joined.but(items=items)
    return None


def carrying(before: Env, head: Env, names: Collection[str]) -> Env:
    """What a turn of a loop begins with: of the names that the loop alone binds, those that a turn reads before it binds them.

    The others each turn binds anew. Where branches bind one and no `else` does, it is not what an earlier turn left, or the
    first turn would have failed:

        for label in loader:
            if name == "A":
                target = label.clone()      on the host
            elif name == "B":
                target = one_hot(label)     on the host
            target = target.to(device)      so this copies at every turn
    """
    new = [name for name, old, _ in before.changes(head) if old is None and name not in names]
    if not new:
        return head
    begun = head.twin()
    begun.drop(new)
    return begun


def changed(head: Env, joined: Env) -> list[str]:
    """The names that hold something new to the head of a loop, evidence aside; those that the loop alone binds do not count."""
    found = []
    for name, old, new in head.changes(joined):
        if old is not None and (new is None or old is BOTTOM or new is BOTTOM or old.key() != new.key()):
            found.append(name)
    return found


def widened(old: Env, new: Env) -> Env:
    """Give up on what a loop still changes after its turns."""
    found = new.twin()
    for name, before, value in old.changes(new):
        if before is None or value is None or before.key() == value.key():
            continue
        if before.kind == value.kind:
            device = None if value.device != before.device else value.device
            found[name] = Value(value.kind, Sure.LIKELY, device=device, why=value.why, where=value.where)
        else:
            found[name] = ANY
    return found
