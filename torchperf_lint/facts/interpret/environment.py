"""Environments: what each name holds at one point of a function, and what holds where two paths meet.

Beside names an environment holds paths of one attribute, `self.hidden`, as far as the function set them itself.
Knows nothing of syntax.
"""

from __future__ import annotations

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.join import join
from torchperf_lint.facts.domain.value import BOTTOM, Value

Env = dict[str, Value]


def merge(first: Env | None, second: Env | None) -> Env | None:
    """What holds where two paths meet."""
    if first is None or second is None or first is second:
        return second if first is None else first
    merged: Env = {}
    for name, a in first.items():
        b = second.get(name)
        if b is a:
            merged[name] = a
        elif b is not None:
            merged[name] = join(a, b)
        elif "." not in name:
            merged[name] = a  # bound on one path only: on the other, reading it would raise
    for name, b in second.items():
        if name not in first and "." not in name:
            merged[name] = b
    return merged


def carried(head: Env, end: Env) -> Env:
    """What a loop sees at its head from its second turn on: what was there before, and what the turn left.

    A number that comes back as a tensor is an accumulator: likely a tensor from the first turn on.
    """
    totals: Env = {}
    for name, before in head.items():
        after = end.get(name)
        if after is not None and before.kind == "number" and after.kind == "tensor":
            totals[name] = after.but(sure=Sure.LIKELY, rank=None, dtype=None)
    merged = merge({**head, **totals}, {**end, **totals})
    assert merged is not None
    return merged


def unchanged(head: Env, joined: Env) -> bool:
    """Whether the head of a loop sees nothing new, evidence aside; names that the loop alone binds do not count."""
    for name, old in head.items():
        new = joined.get(name)
        if new is old:
            continue
        if new is None or old is BOTTOM or new is BOTTOM or old.key() != new.key():
            return False
    return True
