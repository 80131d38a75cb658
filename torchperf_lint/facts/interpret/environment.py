"""Environments: what each name holds at one point of a function, and what holds where two paths meet.

Beside names an environment holds paths of one attribute, `self.hidden`, as far as the function set them itself.
Knows nothing of syntax.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from operator import is_not, itemgetter
from typing import Final

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.join import join, join_all
from torchperf_lint.facts.domain.value import ANY, BOTTOM, Value

Env = dict[str, Value]
_name: Final = itemgetter(0)


def merge(first: Env | None, second: Env | None) -> Env | None:
    """What holds where two paths meet."""
    if first is None or second is None or first is second:
        return second if first is None else first
    merged = dict(first)
    changed = _changed(first, second)
    for name, b in changed:
        a = first.get(name)
        if a is not None:
            merged[name] = join(a, b)
        elif "." not in name:
            merged[name] = b  # bound on one path only: on the other, reading it would raise
    for name in _lost(first, second, changed):
        if "." in name:
            del merged[name]
    return merged


def merge_all(before: Env, ends: list[Env | None]) -> Env | None:
    """What holds where many paths meet that began with the same names: only what each has changed since is looked at.

    Paths that are merged two by two are copied and compared whole each time, and a chain of a thousand cases, each of
    which binds a name of its own, takes the square of that.
    """
    reached = [end for end in ends if end is not None]
    if len(reached) < 2:
        return reached[0] if reached else None
    held: dict[str, list[Value]] = {}
    lost: dict[str, int] = {}
    for end in reached:
        changed = _changed(before, end)
        for name, value in changed:
            held.setdefault(name, []).append(value)
        for name in _lost(before, end, changed):
            lost[name] = lost.get(name, 0) + 1
    merged = dict(before)
    for name, count in lost.items():
        if "." in name or count == len(reached):
            del merged[name]
    for name, values in held.items():
        paths = len(values) + lost.get(name, 0)
        if paths < len(reached) and name in before:
            values.append(before[name])
        if "." not in name or (name not in lost and (name in before or paths == len(reached))):
            merged[name] = join_all(tuple(values))
    return merged


def _changed(before: Env, after: Env) -> list[tuple[str, Value]]:
    """The names that hold something else than before, and what.

    Nearly all hold the very same, and there may be thousands, at every branch: these are passed over without a line of
    Python, and without a look at what they hold.
    """
    others = compress(after.items(), map(is_not, map(before.get, after), after.values()))
    changed = [each for each in others if before.get(each[0]) != each[1]]
    if len(changed) > 1:
        changed.sort(key=_name)
    return changed


def _lost(before: Env, after: Env, changed: list[tuple[str, Value]]) -> Iterable[str]:
    """The names that are no longer held: hardly ever any, which is told by how many there are."""
    new = [name for name, _ in changed if name not in before]
    return before.keys() - after.keys() if len(after) - len(new) < len(before) else ()


def at_loop_head(head: Env, end: Env) -> Env:
    """What a loop sees at its head from its second turn on: what was there before, and what the turn left.

    A number that comes back as a tensor is an accumulator: likely a tensor from the first turn on.
    """
    totals: Env = {}
    for name, after in _changed(head, end):
        before = head.get(name)
        if before is not None and before.kind == "number" and after.kind == "tensor":
            totals[name] = after.but(sure=Sure.LIKELY, rank=None, dtype=None)
    merged = merge({**head, **totals}, {**end, **totals}) if totals else merge(head, end)
    assert merged is not None
    return merged


def unchanged(head: Env, joined: Env) -> bool:
    """Whether the head of a loop sees nothing new, evidence aside; names that the loop alone binds do not count."""
    for name, old in _changed(joined, head):
        new = joined.get(name)
        if new is None or old is BOTTOM or new is BOTTOM or old.key() != new.key():
            return False
    return True


def widened(old: Env, new: Env) -> Env:
    """Give up on what a loop still changes after its turns."""
    found = dict(new)
    for name, value in _changed(old, new):
        before = old.get(name)
        if before is None or before.key() == value.key():
            continue
        if before.kind == value.kind:
            device = None if value.device != before.device else value.device
            found[name] = Value(value.kind, Sure.LIKELY, device=device, why=value.why, where=value.where)
        else:
            found[name] = ANY
    return found
