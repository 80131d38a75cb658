"""What holds where paths meet: the join of abstract values, and what can be told of its result.

`join` only forgets. It commutes, associates, and joining the same once more changes nothing, so no answer depends on the
order of branches; tests hold these laws over drawn values. What came together stays known, one alternative a kind:

    x.cuda()  or  3  or  unknown(x)      alternatives (number 3, tensor on CUDA, unknown)

Within a kind each field has a small lattice of its own: equal or unknown (rank, constant, class), a tree (dtypes), a set
of places (device), the weaker of two (how sure), the first by what it says (evidence). What somebody sees who asks such a
value for its kind or device is a function of its alternatives, made once, by `_seen`: there, and nowhere else, stands
what people usually mean by code that mixes things.
"""

from __future__ import annotations

from typing import Any, Final

from torchperf_lint.facts.domain import old_types
from torchperf_lint.facts.domain.fact import Evidence, Sure
from torchperf_lint.facts.domain.places import DIFFERENT, ELSEWHERE, device_shown, places_of, places_of_device, weight
from torchperf_lint.facts.domain.value import (
    ANY,
    BOTTOM,
    CUDA,
    FLOATING,
    INTEGRAL,
    MAYBE,
    NO,
    SEQUENCES,
    SEVERAL,
    Kind,
    Value,
)  # fmt: skip


def any_item(value: Value) -> Value:
    """What iterating over a container gives, whichever item it is."""
    if isinstance(value.items, tuple):
        return join_all(value.items) if value.items else value.elem or ANY
    return value.elem or ANY


def only(value: Value, kind: Kind) -> Value | None:
    """What is left of a value that is known to be of a kind; None where no path brings one."""
    return next((each for each in _alternatives(value) if each.kind == kind), None)


def without(value: Value, kind: Kind) -> Value:
    """What is left of a value that is known not to be of a kind."""
    left = tuple(each for each in _alternatives(value) if each.kind != kind)
    return _seen(left, none=value.none) if left else ANY


def join_all(values: tuple[Value, ...]) -> Value:
    result = values[0]
    for value in values[1:]:
        result = join(result, value)
    return result


def join(a: Value, b: Value) -> Value:
    """What holds where two paths meet."""
    if a is b or b is BOTTOM:
        return a
    if a is BOTTOM:
        return b
    if a.kind == b.kind and a.alternatives is None and b.alternatives is None:
        same = _of_one_kind(a, b)
        is_one = same.kind not in _NAMED or same.ref is not SEVERAL
        return same if is_one else _seen((same.but(none=False),), none=same.none)
    merged: dict[Kind, Value] = {}
    for each in (*_alternatives(a), *_alternatives(b)):
        known = merged.get(each.kind)
        merged[each.kind] = each if known is None else _of_one_kind(known, each)
    parts = tuple(merged[kind] for kind in sorted(merged))
    return _seen(parts, none=a.none or b.none or "none" in (a.kind, b.kind))


def _alternatives(value: Value) -> tuple[Value, ...]:
    if value.alternatives is not None:
        return value.alternatives
    if value.kind == "none":
        return (value,) if value.sure is Sure.LIKELY else ()
    return (value.but(none=False) if value.none else value,)


# ---- what is seen of several alternatives

_MIXED: Final = ("tensor", "tensor_tree", "module")
"""What one path brings is likely what an unknown one brings too: people seldom mix these with other things."""


def _seen(parts: tuple[Value, ...], *, none: bool) -> Value:
    """What somebody sees who asks a value of these alternatives; None is one of them where it is only likely."""
    rest = tuple(each for each in parts if each.kind != "none")
    if rest and len(rest) < len(parts):
        seen = _seen(rest, none=True).but(sure=Sure.LIKELY)
        seen.alternatives = parts
        return seen
    known = [each for each in parts if each.kind != "unknown"]
    kinds = {each.kind for each in known}
    if len(parts) == 1 and (parts[0].kind not in _NAMED or parts[0].ref is not SEVERAL):
        return parts[0].or_none() if none else parts[0]
    if len(known) == 1 and known[0].kind in _MIXED:
        seen = _or_unknown(known[0])
    elif kinds == {"module", "tensor_tree"}:
        # Nobody keeps a model and a batch under one name: what is moved like a batch is the model of another path.
        seen = _or_unknown(next(each for each in known if each.kind == "module"))
    elif kinds == {"tensor", "tensor_tree"}:
        seen = _or_nested(known, len(known) < len(parts))
    elif len(known) == len(parts) and kinds <= set(SEQUENCES):
        sure = min(each.sure for each in known)
        seen = Value("list", sure, elem=join_all(tuple(any_item(each) for each in known)))
    else:
        seen = Value("unknown", Sure.LIKELY)
    seen.none = none
    seen.alternatives = parts
    return seen


def _or_unknown(known: Value) -> Value:
    """A tensor or module on one path, and something unknown on another: likely the same."""
    device = (
        known.device
        if known.device in (CUDA, MAYBE)
        else device_shown(places_of(known) | ELSEWHERE, known.kind, is_one=False)
    )
    return Value(known.kind, Sure.LIKELY, ref=known.ref, device=device, where=known.where, why=known.why)


def _or_nested(known: list[Value], or_unknown: bool) -> Value:
    """A tensor, or tensors however they are nested: likely a tensor."""
    tensor = next(each for each in known if each.kind == "tensor")
    devices = {each.device for each in known}
    seen = tensor.but(sure=Sure.LIKELY, rank=None, dtype=None, device=tensor.device if len(devices) == 1 else None)
    return _or_unknown(seen) if or_unknown else seen


# ---- alternatives of one kind

_NAMED: Final = ("symbol", "function", "class")
"""Kinds of values that are nothing without what they name."""


def _of_one_kind(a: Value, b: Value) -> Value:
    """The join of two values of one kind, each of them all that its path brings."""
    if a.kind in _NAMED:
        return _named(a, b)
    if _differ_in_const_alone(a, b):
        return a if a.const is b.const or _is_equal(a.const, b.const) else a.but(const=NO)
    why = _first(a.why, b.why)
    rank = a.rank if a.rank == b.rank else None
    device, places = a.device, 0
    if a.places or b.places or device != b.device or a.rank != b.rank or a.why is not b.why:
        places = places_of(a) | places_of(b) | (0 if a.why is b.why or a.why == b.why else DIFFERENT)
        device = device_shown(places, a.kind, is_one=why is not None and not places & DIFFERENT)
        places = 0 if places == places_of_device(a.kind, device, rank) else places
    items, elem = a.items, a.elem
    if items is not b.items or elem is not b.elem:
        items, elem = _items(a, b)
    return Value(
        a.kind,
        a.sure if a.sure is b.sure else min(a.sure, b.sure),
        device=device,
        places=places,
        where=a.where if a.where is b.where else _where(a, b),
        dtype=a.dtype if a.dtype == b.dtype else _dtype(a.dtype, b.dtype),
        rank=rank,
        const=a.const if a.const is b.const or _is_equal(a.const, b.const) else NO,
        ref=a.ref if a.ref is b.ref else _ref(a, b),
        items=items,
        elem=elem,
        none=a.none or b.none,
        grad=a.grad if a.grad == b.grad else None,
        why=why,
    )


def _differ_in_const_alone(a: Value, b: Value) -> bool:
    """Whether two values of one kind say the same of all but which constant they are: most that meet do."""
    return (
        a.sure is b.sure
        and a.dtype == b.dtype
        and a.items is b.items
        and a.elem is b.elem
        and a.why is b.why
        and a.where is b.where
        and a.device == b.device
        and a.rank == b.rank
        and a.ref is b.ref
        and a.none is b.none
        and a.grad is b.grad
        and not a.places
        and not b.places
    )


def _named(a: Value, b: Value) -> Value:
    """The join of two names: the same, with the same arguments kept for it, or one of several."""
    sure, none = min(a.sure, b.sure), a.none or b.none
    is_same = a.ref == b.ref and a.but(sure=sure, none=none).key() == b.but(sure=sure, none=none).key()
    if not is_same:
        return old_types.either(a, b) or Value(a.kind, sure, ref=SEVERAL, none=none)
    return a.but(sure=sure, none=none, why=_first(a.why, b.why), where=_first(a.where, b.where))


def _is_equal(a: Any, b: Any) -> bool:
    return a is b or (type(a) is type(b) and bool(a == b) and (not isinstance(a, float) or repr(a) == repr(b)))


def _ref(a: Value, b: Value) -> Any:
    """Of which class; a module of which nobody knows the class may be of the class that is known of another."""
    if a.ref == b.ref:
        return a.ref
    if a.kind != "module":
        return None
    return SEVERAL if a.ref is not None and b.ref is not None else b.ref if a.ref is None else a.ref


def _dtype(a: str | None, b: str | None) -> str | None:
    if a == b:
        return a
    if a in FLOATING and b in FLOATING:
        return "floating"
    if a in INTEGRAL and b in INTEGRAL:
        return "integral"
    return None


# ---- evidence


def _first(a: Evidence | None, b: Evidence | None) -> Evidence | None:
    """One of two pieces of evidence: by what it says, then by its place, so that branches may change places."""
    if a is b or a is None or b is None:
        return b if a is None else a
    return a if _order(a) <= _order(b) else b


def _order(each: Evidence) -> tuple[str, str, int, int]:
    node: Any = each.node
    return (each.message, each.path or "", getattr(node, "lineno", 0), getattr(node, "col_offset", 0))


def _where(a: Value, b: Value) -> Evidence | None:
    """What shows the device: of the value whose places say most."""
    if a.where is b.where:
        return a.where
    first, second = weight(a), weight(b)
    if first != second:
        return a.where if first > second else b.where
    return _first(a.where, b.where)


# ---- what containers hold


def _items(a: Value, b: Value) -> tuple[tuple[Value, ...] | dict[Any, Value] | None, Value | None]:
    """One by one where both agree how many or under which names, else what any of them is; an empty one says nothing."""
    if isinstance(a.items, tuple) and isinstance(b.items, tuple) and len(a.items) == len(b.items):
        return tuple(join(x, y) for x, y in zip(a.items, b.items, strict=True)), _either(a.elem, b.elem)
    if isinstance(a.items, dict) and isinstance(b.items, dict):
        merged = {name: _either(a.items.get(name), b.items.get(name)) or ANY for name in _names(a.items, b.items)}
        return merged, _either(a.elem, b.elem)
    return None, _either(_all(a), _all(b))


def _names(a: dict[Any, Value], b: dict[Any, Value]) -> list[Any]:
    if list(a) == list(b):
        return list(a)
    return sorted({*a, *b}, key=lambda name: (type(name).__name__, repr(name)))


def _either(a: Value | None, b: Value | None) -> Value | None:
    if a is None or b is None:
        return b if a is None else a
    return join(a, b)


def _all(value: Value) -> Value | None:
    """What any item is; None where there are none, or nothing is said of them."""
    held = value.items.values() if isinstance(value.items, dict) else value.items or ()
    found = value.elem
    for each in held:
        found = _either(found, each)
    return found
