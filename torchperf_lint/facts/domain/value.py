"""What a Python expression can be, as far as the linter cares: the abstract values.

A `Value` says of what kind a thing is and, for tensors, its device, dtype and rank. It is plain data: `infer` makes
values, `join` says what holds when two paths meet. Knows nothing of syntax and nothing of torch's functions.

Values are made for every expression of a file, so this class is written for speed: slots and a plain constructor, and
nobody changes one after it is made; `but` makes a changed copy.

    tensor  .device "cuda"  .dtype "float32"  .rank 2        torch.zeros(3, 4, device="cuda")
    list    .elem <tensor>                                   [f(x) for x in xs]
    tuple   .items (<number>, <tensor>)                      1, x
    module  .ref <Class Net> or "torch.nn.Linear"            Net()
    nest    .device "cpu"                                    the batch of a loader: tensors, however they are nested
    symbol  .ref "torch.nn.functional.relu"                  F.relu
"""

from __future__ import annotations

from typing import Any, Final, Literal

from torchperf_lint.facts.domain.fact import Evidence, Sure

Kind = Literal[
    "unknown", "tensor", "nest", "ndarray", "number", "string", "none", "tuple", "list", "set", "dict", "iterator", "size",
    "module", "optimizer", "loader", "dataset", "sampler", "scaler", "scheduler", "distribution", "generator",
    "device", "dtype", "symbol", "function", "class", "instance", "super", "stream", "event", "metric", "object",
]  # fmt: skip

CPU: Final = "cpu"
PINNED: Final = "pinned"
"""Page-locked memory of the host."""
CUDA: Final = "cuda"
MAYBE: Final = "maybe"
"""CUDA where there is one: the usual device-agnostic code."""
OTHER: Final = "other"
"""MPS, XPU, meta: no CUDA, no host."""
UNSURE: Final = "unsure"
"""On the host on one path, and nobody knows where on another: nothing can be said of it."""


EITHER: Final = "tensor or array"
"""The `ref` of what may be a tensor or an array: as good as a tensor, but nobody can say where it is."""


class NoConstant:
    """The constant of a value that is not known to be one; there is one, `NO`."""

    def __repr__(self) -> str:
        return "NO"

    def __bool__(self) -> bool:
        return False


NO: Final = NoConstant()

Key = tuple[object, ...]


class Value:
    """One abstract value; see the module's first lines for examples."""

    __slots__ = (
        "const", "device", "dtype", "elem", "grad", "items", "kind", "none", "rank", "ref", "sure", "where", "why",
    )  # fmt: skip

    kind: Kind
    sure: Sure
    device: str | None
    dtype: str | None
    """A torch dtype ("int64"), "floating" or "integral"; for a number: "int", "float", "bool", "complex"."""
    rank: int | None
    const: Any
    ref: Any
    """Which class, function, module of torch, ...: a dotted name, or a record of the program."""
    items: tuple[Value, ...] | dict[Any, Value] | None
    elem: Value | None
    """What any item is, where they are not known one by one."""
    none: bool
    """May be None as well."""
    grad: bool | None
    """Attached to an autograd graph."""
    why: Evidence | None
    """What shows the kind."""
    where: Evidence | None
    """What shows the device."""

    def __init__(
        self,
        kind: Kind,
        sure: Sure = Sure.PROVEN,
        *,
        device: str | None = None,
        dtype: str | None = None,
        rank: int | None = None,
        const: Any = NO,
        ref: Any = None,
        items: tuple[Value, ...] | dict[Any, Value] | None = None,
        elem: Value | None = None,
        none: bool = False,
        grad: bool | None = None,
        why: Evidence | None = None,
        where: Evidence | None = None,
    ) -> None:
        self.kind = kind
        self.sure = sure
        self.device = device
        self.dtype = dtype
        self.rank = rank
        self.const = const
        self.ref = ref
        self.items = items
        self.elem = elem
        self.none = none
        self.grad = grad
        self.why = why
        self.where = where

    def but(self, **changes: Any) -> Value:
        """A copy with some fields changed."""
        copy = Value(
            self.kind, self.sure, device=self.device, dtype=self.dtype, rank=self.rank, const=self.const, ref=self.ref,
            items=self.items, elem=self.elem, none=self.none, grad=self.grad, why=self.why, where=self.where,
        )  # fmt: skip
        for name, value in changes.items():
            setattr(copy, name, value)
        return copy

    def key(self, depth: int = 3) -> Key:
        """What two values must share to count as the same; evidence does not."""
        items: object = None
        if self.items is not None and depth:
            if isinstance(self.items, dict):
                items = tuple((name, item.key(depth - 1)) for name, item in self.items.items())
            else:
                items = tuple(item.key(depth - 1) for item in self.items)
        elem = self.elem.key(depth - 1) if self.elem is not None and depth else None
        const = self.const if isinstance(self.const, (int, float, str, bool, type(None), tuple)) else id(self.const)
        return (
            self.kind, self.sure, self.device, self.dtype, self.rank, type(const), repr(const), self.ref, self.none, self.grad,
            items, elem,
        )  # fmt: skip

    @property
    def is_tensor(self) -> bool:
        return self.kind == "tensor"

    @property
    def on_host(self) -> bool:
        return self.device in (CPU, PINNED)

    @property
    def maybe_cuda(self) -> bool:
        """On CUDA, or nothing says that it is not."""
        return self.device not in (CPU, PINNED, OTHER, UNSURE)

    def __repr__(self) -> str:
        parts = [self.kind if self.sure is Sure.PROVEN else f"{self.kind}?"]
        for name in ("device", "dtype", "rank", "ref", "elem", "items"):
            field = getattr(self, name)
            if field is not None:
                parts.append(f"{name} {field!r}")
        if self.const is not NO:
            parts.append(f"= {self.const!r}")
        if self.none:
            parts.append("or None")
        return f"<{', '.join(parts)}>"


ANY: Final = Value("unknown", Sure.LIKELY)
NONE: Final = Value("none", const=None)
INT: Final = Value("number", dtype="int")
FLOAT: Final = Value("number", dtype="float")
BOOL: Final = Value("number", dtype="bool")
NUMBER: Final = Value("number")
STRING: Final = Value("string")
OBJECT: Final = Value("object")
"""Something, and no tensor."""

SEQUENCES: Final = ("tuple", "list", "set", "iterator")


def sequence(kind: Kind, items: tuple[Value, ...]) -> Value:
    """A tuple or list whose items are known one by one."""
    return Value(kind, items=items)


def any_item(value: Value) -> Value:
    """What iterating over a container gives, whichever item it is."""
    if isinstance(value.items, tuple):
        return join_all(value.items) if value.items else value.elem or ANY
    return value.elem or ANY


def join_all(values: tuple[Value, ...]) -> Value:
    result = values[0]
    for value in values[1:]:
        result = join(result, value)
    return result


def join(a: Value, b: Value, *, loop: bool = False) -> Value:
    """What holds where two paths meet; `loop` for the way back to the head of a loop.

    A tensor on one path and something unknown on the other is likely a tensor: people seldom mix. A number before a
    loop that comes back as a tensor is an accumulator, so a tensor from its first turn on.
    """
    if a is b:
        return a
    if a.kind == b.kind:
        return _join_same(a, b, loop)
    if a.kind == "none" or b.kind == "none":
        other = b if a.kind == "none" else a
        return other if other.none else other.but(none=True)
    if a.kind == "unknown" or b.kind == "unknown":
        known = b if a.kind == "unknown" else a
        if known.kind in ("tensor", "nest", "module"):
            return Value(
                known.kind, Sure.LIKELY, none=a.none or b.none, why=known.why, ref=known.ref,
                device=known.device if known.device in (CUDA, MAYBE) else _unsure(known), where=known.where,
            )  # fmt: skip
        return ANY
    if "tensor" in (a.kind, b.kind):
        return _tensor_or(a, b, loop)
    if a.kind in SEQUENCES and b.kind in SEQUENCES:
        return Value("list", min(a.sure, b.sure), elem=join(any_item(a), any_item(b)))
    return ANY


def _tensor_or(a: Value, b: Value, loop: bool) -> Value:
    tensor, other = (a, b) if a.kind == "tensor" else (b, a)
    if other.kind == "nest":
        return tensor.but(sure=Sure.LIKELY, rank=None, dtype=None, device=_same(a.device, b.device))
    if other.kind == "number" and loop:
        return tensor.but(sure=Sure.LIKELY, rank=None, dtype=None)
    return ANY


def _same(a: Any, b: Any) -> Any:
    return a if a == b else None


def _join_device(a: Value, b: Value) -> tuple[str | None, Evidence | None]:
    if a.device == b.device:
        return a.device, a.where or b.where
    devices = {a.device, b.device}
    if devices <= {CPU, PINNED}:
        return CPU, a.where or b.where
    if CUDA in devices or MAYBE in devices:
        # On CUDA on some path is what a reader wants to hear of; on the others it does no harm.
        source = a if a.device in (CUDA, MAYBE) else b
        return MAYBE, source.where
    known = a if b.device is None else b
    is_moved = None in devices and a.why is not None and a.why == b.why  # in a branch: so it was somewhere else before
    return (None, None) if is_moved else (_unsure(known), known.where)


def _unsure(known: Value) -> str | None:
    """Where a tensor is that is known on one path alone: people seldom mix; a total of the host may join any device."""
    return UNSURE if known.kind == "tensor" and known.device in (CPU, PINNED, UNSURE) and known.rank != 0 else None


def _join_same(a: Value, b: Value, loop: bool) -> Value:
    if a.kind in ("symbol", "function", "class") and (a.ref != b.ref or a.items != b.items):
        return ANY
    sure = min(a.sure, b.sure)
    device, where = _join_device(a, b)
    items: tuple[Value, ...] | dict[Any, Value] | None = None
    elem: Value | None = None
    if a.items is not None or b.items is not None or a.elem or b.elem:
        items, elem = _join_items(a, b, loop)
    return Value(
        a.kind,
        sure,
        device=device,
        where=where,
        dtype=_join_dtype(a.dtype, b.dtype),
        rank=_same(a.rank, b.rank),
        const=a.const if a.const is b.const or (type(a.const) is type(b.const) and a.const == b.const) else NO,
        ref=_same(a.ref, b.ref) if a.kind != "module" or (a.ref and b.ref) else a.ref or b.ref,
        items=items,
        elem=elem,
        none=a.none or b.none,
        grad=_same(a.grad, b.grad),
        why=a.why or b.why,
    )


def _join_dtype(a: str | None, b: str | None) -> str | None:
    if a == b:
        return a
    if a in FLOATING and b in FLOATING:
        return "floating"
    if a in INTEGRAL and b in INTEGRAL:
        return "integral"
    return None


_TELLING: Final = 8
"""Constants that change what a function returns are small: a flag, a dimension, the name of a mode."""


def without_detail(value: Value) -> Value:
    """A value as an argument: constants and settings that would only make equal calls look different are dropped."""
    const = value.const
    changes: dict[str, Any] = {}
    if const is not NO and const is not None and not isinstance(const, bool):
        small = (
            -_TELLING <= const <= _TELLING
            if isinstance(const, int)
            else isinstance(const, str) and len(const) <= _TELLING
        )
        if not small:
            changes["const"] = NO
    if value.kind == "dict" and isinstance(value.items, dict) and value.items:
        entries = (*value.items.values(), *([value.elem] if value.elem is not None else []))
        changes["items"] = None
        is_uniform = len({each.kind for each in entries}) == 1  # no settings among tensors
        changes["elem"] = join_all(entries) if is_uniform else None
    elif value.kind in ("module", "loader", "optimizer") and isinstance(value.items, dict):
        changes["items"] = {name: without_detail(item) for name, item in value.items.items() if name in _SETTINGS}
    return value.but(**changes) if changes else value


_SETTINGS: Final = ("reduction", "fused", "pin_memory", "batch_first", "bidirectional", "return_indices")
"""Settings of an object on which the results of its methods depend."""

FLOATING: Final = ("floating", "float32", "float16", "bfloat16", "float64")
INTEGRAL: Final = ("integral", "int64", "int32", "int16", "int8", "uint8")


def _join_items(a: Value, b: Value, loop: bool) -> tuple[tuple[Value, ...] | dict[Any, Value] | None, Value | None]:
    if isinstance(a.items, tuple) and isinstance(b.items, tuple) and len(a.items) == len(b.items):
        return tuple(join(x, y, loop=loop) for x, y in zip(a.items, b.items, strict=True)), None
    if isinstance(a.items, dict) and isinstance(b.items, dict):
        names = [*a.items, *(name for name in b.items if name not in a.items)]
        merged = {}
        for name in names:
            x, y = a.items.get(name), b.items.get(name)
            merged[name] = join(x, y, loop=loop) if x and y else (x or y or ANY)
        elem = join(a.elem, b.elem, loop=loop) if a.elem and b.elem else a.elem or b.elem
        return merged, elem
    empty_a, empty_b = _is_empty(a), _is_empty(b)
    if empty_a or empty_b:
        full = b if empty_a else a
        return None, any_item(full) if not _is_empty(full) else None
    return None, join(any_item(a), any_item(b), loop=loop)


def _is_empty(value: Value) -> bool:
    return not value.items and value.elem is None
