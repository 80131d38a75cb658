"""What a Python expression can be, as far as the linter cares: the abstract values.

A `Value` says of what kind a thing is and, for tensors, its device, dtype and rank. It is plain data: the interpreter
makes values, `join` says what holds when two paths meet. Knows nothing of syntax and nothing of torch's functions.

Values are made for every expression of a file, so this class is written for speed: slots and a plain constructor, and
nobody changes one after it is made; `but` makes a changed copy.

    tensor  .device "cuda"  .dtype "float32"  .rank 2        torch.zeros(3, 4, device="cuda")
    list    .elem <tensor>                                   [f(x) for x in xs]
    tuple   .items (<number>, <tensor>)                      1, x
    module  .ref <Class Net> or "torch.nn.Linear"            Net()
    tensor_tree  .device "cpu"                               the batch of a loader: tensors, however they are nested
    symbol  .ref "torch.nn.functional.relu"                  F.relu
"""

from __future__ import annotations

from typing import Any, Final, Literal

from torchperf_lint.facts.domain.fact import Evidence, Sure

Kind = Literal[
    "unknown", "tensor", "tensor_tree", "ndarray", "number", "string", "none", "tuple", "list", "set", "dict", "iterator", "size",
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
HOST_OR_UNKNOWN: Final = "host or unknown"
"""On the host on one path, and nobody knows where on another: nothing can be said of it."""


TENSOR_OR_ARRAY: Final = "tensor or array"
"""The `ref` of what may be a tensor or an array: as good as a tensor, but nobody can say where it is."""


class NoConstant:
    """The constant of a value that is not known to be one; there is one, `NO`."""

    def __repr__(self) -> str:
        return "NO"

    def __bool__(self) -> bool:
        return False


NO: Final = NoConstant()


class Several:
    """The class, function or name of a value that is one of several; there is one, `SEVERAL`, and it is false."""

    def __repr__(self) -> str:
        return "SEVERAL"

    def __bool__(self) -> bool:
        return False


SEVERAL: Final = Several()

Key = tuple[object, ...]


class Value:
    """One abstract value; see the module's first lines for examples."""

    __slots__ = (
        "alternatives", "const", "device", "dtype", "elem", "grad", "items", "kind", "none", "places", "rank", "ref", "sure",
        "where", "why",
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
    places: int
    """Of what several paths brought: all places where it may be, as bits that `join` knows; 0: `device` says it all."""
    alternatives: tuple[Value, ...] | None
    """Of what is of several kinds: one for each kind. All other fields say what `join` makes of them for those who ask."""

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
        places: int = 0,
        alternatives: tuple[Value, ...] | None = None,
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
        self.places = places
        self.alternatives = alternatives

    def but(self, **changes: Any) -> Value:
        """A copy with some fields changed: from here on it is what they say, whatever else it may have been."""
        copy = Value(
            self.kind, self.sure, device=self.device, dtype=self.dtype, rank=self.rank, const=self.const, ref=self.ref,
            items=self.items, elem=self.elem, none=self.none, grad=self.grad, why=self.why, where=self.where,
            places=0 if "device" in changes else self.places,
        )  # fmt: skip
        for name, value in changes.items():
            setattr(copy, name, value)
        return copy

    def or_none(self) -> Value:
        """The same, and it may be None as well."""
        if self.none:
            return self
        copy = self.but(none=True)
        copy.alternatives = self.alternatives
        return copy

    def key(self, depth: int = 3) -> Key:
        """What two values must share to count as the same; evidence does not."""
        items: object = None
        if self.items is not None and depth:
            if isinstance(self.items, dict):
                entries = ((repr(name), item.key(depth - 1)) for name, item in self.items.items())
                items = tuple(sorted(entries, key=_first))
            else:
                items = tuple(item.key(depth - 1) for item in self.items)
        elem = self.elem.key(depth - 1) if self.elem is not None and depth else None
        const = self.const if isinstance(self.const, (int, float, str, bool, type(None), tuple)) else id(self.const)
        others: object = None
        if self.alternatives is not None and depth:
            others = tuple(each.key(depth - 1) for each in self.alternatives)
        return (
            self.kind, self.sure, self.device, self.dtype, self.rank, type(const), repr(const), self.ref, self.none, self.grad,
            items, elem, self.places, others,
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
        return self.device not in (CPU, PINNED, OTHER, HOST_OR_UNKNOWN)

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


def _first(entry: tuple[str, Key]) -> str:
    return entry[0]


ANY: Final = Value("unknown", Sure.LIKELY)
BOTTOM: Final = Value("unknown", Sure.LIKELY)
"""Not worked out yet, or not reached: it says nothing, where `ANY` says that it may be anything. Known by identity."""
NONE: Final = Value("none", const=None)
INT: Final = Value("number", dtype="int")
FLOAT: Final = Value("number", dtype="float")
BOOL: Final = Value("number", dtype="bool")
CUDA_THERE: Final = Value("number", dtype="bool", ref="torch.cuda.is_available")
"""A test that is true where there is CUDA: `torch.cuda.is_available()`, `device.type == "cuda"`."""
NUMBER: Final = Value("number")
STRING: Final = Value("string")
OBJECT: Final = Value("object")
"""Something, and no tensor."""

SEQUENCES: Final = ("tuple", "list", "set", "iterator")
FLOATING: Final = ("floating", "float32", "float16", "bfloat16", "float64")
INTEGRAL: Final = ("integral", "int64", "int32", "int16", "int8", "uint8")
