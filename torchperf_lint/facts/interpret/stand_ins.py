"""Evidence of arguments: a function is run once for all calls that pass it the same, whatever shows that in each.

    first(a), first(b)      one run of `first`, in which a stand-in says "what shows `x`"; each call puts its own there

So what a call gives does not depend on who called first, in this file or in another.
"""

from __future__ import annotations

from typing import Any, Final

from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.index.scopes import Function

Way = tuple[Any, ...]
"""The name of a parameter, the way to a part of its value, and which evidence of that part: `("x", 0, "where")`."""

_LEVELS: Final = 3
"""Parts of parts that nest deeper do not count where arguments are compared, so they may not count in the run either."""
_SHOWN: Final = ("tensor", "tensor_tree", "module", "ndarray")
"""Kinds of values that have evidence."""
_FIRST: Final = " "
"""Sorts before all other evidence: where several show the same, that of the call is nearest to the reader."""


class StandIn(Evidence):
    """What stands for the evidence of an argument while a function is run."""

    __slots__ = ("way",)

    def __init__(self, function: Function, way: Way) -> None:
        message = f"{_FIRST}what shows `{'.'.join(map(str, way))}`"
        super().__init__(function.parameters[way[0]], message, function.module.path)
        self.way = way


def with_stand_ins(function: Function, name: str, value: Value) -> Value:
    """What a parameter holds in the run of a function: the argument, without what shows it in one call."""
    return _stand(function, (name,), value, _LEVELS)


def _stand(function: Function, way: Way, value: Value, levels: int) -> Value:
    is_shown = value.kind in _SHOWN or value.device is not None
    is_plain = value.items is None and value.elem is None and value.alternatives is None
    if is_plain and not is_shown and value.why is None and value.where is None:
        return value
    copy = value.but()
    copy.why = StandIn(function, (*way, "why")) if is_shown else None
    copy.where = StandIn(function, (*way, "where")) if value.device is not None else None
    copy.items, copy.elem = None, None
    if not levels:
        return copy
    if isinstance(value.items, tuple):
        copy.items = tuple([_stand(function, (*way, i), item, levels - 1) for i, item in enumerate(value.items)])
    elif value.items is not None:
        copy.items = {key: _stand(function, (*way, key), item, levels - 1) for key, item in value.items.items()}
    if value.elem is not None:
        copy.elem = _stand(function, (*way, _ELEM), value.elem, levels - 1)
    if value.alternatives is not None:
        parts = enumerate(value.alternatives)
        copy.alternatives = tuple([_stand(function, (*way, _Nth(i)), each, levels - 1) for i, each in parts])
    return copy


def with_evidence(value: Value, arguments: dict[str, Value]) -> Value:
    """What a call gives: the result of the run, with the evidence of its own arguments."""
    why, where = value.why, value.where
    items, elem, alternatives = value.items, value.elem, value.alternatives
    if isinstance(why, StandIn):
        why = _own(why, arguments)
    if isinstance(where, StandIn):
        where = _own(where, arguments)
    if isinstance(items, tuple):
        items = _all(items, arguments)
    elif items is not None:
        held = _all(tuple(items.values()), arguments)
        items = items if all(map(_is, held, items.values())) else dict(zip(items, held, strict=True))
    if elem is not None:
        elem = with_evidence(elem, arguments)
    if alternatives is not None:
        alternatives = _all(alternatives, arguments)
    is_same = why is value.why and where is value.where and elem is value.elem
    if is_same and items is value.items and alternatives is value.alternatives:
        return value
    copy = value.but()
    copy.why, copy.where, copy.items, copy.elem, copy.alternatives = why, where, items, elem, alternatives
    return copy


def _all(values: tuple[Value, ...], arguments: dict[str, Value]) -> tuple[Value, ...]:
    found = tuple([with_evidence(each, arguments) for each in values])
    return values if all(map(_is, found, values)) else found


def _is(a: Value, b: Value) -> bool:
    return a is b


def _own(stand_in: StandIn, arguments: dict[str, Value]) -> Evidence | None:
    """The evidence that a call has itself where a stand-in is."""
    name, *parts, which = stand_in.way
    at: Value | None = arguments.get(name)
    for part in parts:
        if at is None:
            return None
        at = _part(at, part)
    if at is None:
        return None
    return at.why if which == "why" else at.where


class _Nth:
    """The way to one of the alternatives of a value."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index

    def __repr__(self) -> str:
        return f"<{self.index}>"


_ELEM: Final = _Nth(-1)
"""The way to what any item is."""


def _part(value: Value, part: Any) -> Value | None:
    if part is _ELEM:
        return value.elem
    if isinstance(part, _Nth):
        alternatives = value.alternatives
        return alternatives[part.index] if alternatives is not None and part.index < len(alternatives) else None
    if isinstance(value.items, tuple):
        return value.items[part] if isinstance(part, int) and part < len(value.items) else None
    return value.items.get(part) if value.items is not None else None
